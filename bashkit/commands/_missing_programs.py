"""Programs that the sandbox does not have: advice that replaces a bare "command not found"."""

from __future__ import annotations

_SCRIPTING = "this sandbox runs no other language: use bash itself, awk for text and numbers, jq for JSON, bc for arithmetic"
_PYTHON = f"{_SCRIPTING}; where the host has bashkit-toolsets[python], python3 runs here"
_PACKAGES = "nothing can be installed in this sandbox: `help` lists the commands it has"
_VERSIONS = "there is no version control in this sandbox: diff and patch compare and change files, cp keeps copies"
_COMPILERS = "nothing can be compiled in this sandbox: `help` lists the commands it has"
_EDITORS = "there is no editor in this sandbox: sed -i changes files, cat > FILE <<'EOF' writes them"
_NETWORK = "this sandbox reaches no other machine this way: curl and wget work where the host allows them"
_MACHINE = "this sandbox is not a real machine: there are no services, containers, disks or users to manage"

_MANUALS = "this sandbox has no manual pages: `NAME --help` says what a command takes, `help NAME` what a builtin does"
_MEASURES = "this sandbox is not a real machine: it has no memory, processors or disks to measure"
_TERMINAL = "this sandbox has no terminal"
_DATABASES = "this sandbox reaches no database server: sqlite3 has databases in files"

_ADVICE = {
    _PYTHON: "python python3",
    _SCRIPTING: ("python2 pypy3 ipython node nodejs deno bun perl ruby php lua tclsh java groovy Rscript julia ghci pwsh"),
    _PACKAGES: (
        "apt apt-get aptitude apk brew conda dnf dpkg easy_install gem npm npx pip pip3 pipx pnpm poetry rpm snap uv uvx yarn yum"
    ),
    _VERSIONS: "git gh hg svn cvs",
    _COMPILERS: "cc c++ gcc g++ clang clang++ cargo rustc go javac make cmake ninja ld tsc dotnet mvn gradle",
    _EDITORS: "vi vim nvim nano emacs ed ex pico code",
    _NETWORK: ("ssh scp sftp rsync ftp telnet nc ncat netcat ping traceroute dig nslookup host ip ifconfig netstat ss nmap"),
    _MACHINE: (
        "docker docker-compose podman kubectl helm systemctl service journalctl mount umount fdisk mkfs useradd usermod passwd "
        "su crontab iptables reboot shutdown lsof dmesg w who last timedatectl"
    ),
    _MEASURES: "free top htop vmstat iostat lscpu lsblk lspci",
    _MANUALS: "man info apropos whatis tldr",
    _TERMINAL: "stty reset screen tmux",
    _DATABASES: "psql mysql mariadb mongosh redis-cli",
}
_BY_NAME = {name: advice for advice, names in _ADVICE.items() for name in names.split()}


def advice(name: str) -> str | None:
    """The advice for the program ``name``; None for an unknown name."""
    return _BY_NAME.get(name)
