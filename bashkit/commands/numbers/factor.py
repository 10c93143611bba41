"""factor: print the prime factors of numbers (GNU coreutils manual, factor)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import lines
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, command, flag
from bashkit.limits import ask_room
from bashkit.syntax.digits import SPACE, is_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_MAX_DIGITS = 1000
_DIGIT = 64  # bits of an exponent that are worked on at once
_SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_PRIME_BELOW = 41**2  # a number that none of them divides
_FEW_WITNESSES = 3_215_031_751  # below it 2, 3, 5 and 7 refute every number that is not prime (Jaeschke 1993)


@command(
    "factor",
    usage="[OPTION] [NUMBER]...",
    summary="Print the prime factors of each specified integer NUMBER.",
    options=(flag("-h", "--exponents", help="print repeated factors in form p^e unless e is 1"),),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print a line for each number; 1 if an operand is not a number."""
    status = 0
    for word in arguments.operands or _words(process):
        process.budget.tick(8)
        digits = word.lstrip(SPACE).removeprefix("+")
        if not is_digits(digits) or len(digits) > _MAX_DIGITS:
            process.warn(f"{mention(word)} is not a valid positive integer")
            status = 1
            continue
        number = int(digits)
        found = sorted(prime_factors(number, process.budget))
        if "h" in arguments:
            shown = [f"{prime}^{count}" if (count := found.count(prime)) > 1 else str(prime) for prime in sorted(set(found))]
        else:
            shown = [str(prime) for prime in found]
        process.write(f"{number}:{''.join(' ' + text for text in shown)}\n")
    return status


def _words(process: Process) -> Iterator[str]:
    for block in lines(process.stdin.blocks(), process.budget):
        for line in block:
            ask_room(line, (b" ", b"\t"), process.budget)
            yield from line.decode("utf-8", "surrogateescape").split()


def prime_factors(number: int, budget: Budget) -> Iterator[int]:
    """The prime factors of ``number``, in no order (Pollard, A Monte Carlo Method for Factorization, 1975)."""
    for prime in _SMALL:
        while number and number % prime == 0:
            yield prime
            number //= prime
    pending = [number] if number > 1 else []
    while pending:
        part = pending.pop()
        if part < _PRIME_BELOW or _is_prime(part, budget):
            yield part
            continue
        divisor = _divisor(part, budget)
        pending += [divisor, part // divisor]


def _is_prime(number: int, budget: Budget) -> bool:
    """Whether no Miller-Rabin witness refutes that a number is prime; certain below 3.3e24."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in _SMALL if number >= _FEW_WITNESSES else _SMALL[:4]:
        if base % number == 0:
            continue
        power = _power(base, odd, number, budget)
        if power in {1, number - 1}:
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def _power(base: int, exponent: int, modulus: int, budget: Budget) -> int:
    """``pow`` of three arguments, digit by digit of the exponent: of a long number one call would take too long."""
    if exponent.bit_length() <= _DIGIT:
        budget.tick(1 + (modulus.bit_length() ** 2 >> 14))
        return pow(base, exponent, modulus)
    power = 1
    for shift in range(exponent.bit_length() // _DIGIT * _DIGIT, -1, -_DIGIT):
        digit = exponent >> shift & ((1 << _DIGIT) - 1)
        power = pow(power, 1 << _DIGIT, modulus) * pow(base, digit, modulus) % modulus
        budget.tick(1 + (modulus.bit_length() ** 2 >> 14))
    return power


def _divisor(number: int, budget: Budget) -> int:
    root = math.isqrt(number)
    if root * root == number:
        return root
    increment = 1
    while True:
        slow = fast = 2
        product, steps = 1, 0
        divisor = 1
        while divisor == 1:
            slow = (slow * slow + increment) % number
            fast = (fast * fast + increment) % number
            fast = (fast * fast + increment) % number
            product = product * abs(slow - fast) % number
            steps += 1
            if steps % 64 == 0 or product == 0:
                budget.tick(64)
                divisor = math.gcd(product, number) if product else math.gcd(abs(slow - fast), number)
                if divisor == number or product == 0:
                    break
        if 1 < divisor < number:
            return divisor
        small = _step_by_step(number, increment, budget)
        if small:
            return small
        increment += 1


def _step_by_step(number: int, increment: int, budget: Budget) -> int:
    """The same walk with a check after every step, for factors found together; 0 if it fails."""
    slow = fast = 2
    while True:
        budget.tick(2)
        slow = (slow * slow + increment) % number
        fast = (fast * fast + increment) % number
        fast = (fast * fast + increment) % number
        divisor = math.gcd(abs(slow - fast), number)
        if divisor == number:
            return 0
        if divisor > 1:
            return divisor
