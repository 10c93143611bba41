"""The properties that the virtual machine reports."""

KERNEL = "Linux"
RELEASE = "6.1.0"
VERSION = "#1 SMP PREEMPT_DYNAMIC"
MACHINE = "x86_64"
OPERATING_SYSTEM = "GNU/Linux"
PROCESSORS = 1
