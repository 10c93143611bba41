"""Synonyms for searching tools: the words of people beside those of interfaces."""

from __future__ import annotations

import re
from functools import cache

# Each line is a group of synonyms; a word may be in several. Phrases are written with underscores.
_GROUPS = """
list show display view browse enumerate all every overview which see print names_of
get fetch show read retrieve lookup look_up look_at view see tell give open load details info information describe know single \
particular specific certain individual pull_up facts inspect check
find search look_for query locate lookup seek filter match
create add new make insert register open set_up build generate start put introduce define draw_up enter fill_in sign_up submit \
file
delete remove erase drop destroy get_rid_of discard trash wipe purge throw_away take_out scrap bin dispose obsolete clean_up \
clear_out take_down no_longer_need no_longer_needed not_needed don_t_need eliminate unwanted
fire dismiss terminate sack lay_off let_go
complete finish done tick_off check_off mark_as_done
expensive price raise increase
cheap price lower reduce decrease
increase raise higher grow more
decrease lower reduce less
resize size smaller larger bigger scale dimensions shrink enlarge
shorten trim cut crop
locate where where_is position location coordinates find
repo repository codebase
recommend suggest propose recommendation recommended advice
distance far apart
transaction spend spent history
worklog worked hours timesheet log
permission access who_can
read read_out listen watch
optimize best shortest fastest improve efficient
transcribe speech text subtitles spoken said
measure value reading read measurement
borrow lend loan checkout
public publish visible
private hide hidden
free available vacant vacancy empty unoccupied
busy occupied taken
delayed late status on_time punctual
rain weather forecast snow sun sunny wind
fuel petrol gas diesel
earn revenue income
buy purchase order bought
buyer customer client purchaser buy
sell sale sold
spend expense cost spent
hotel room vacancy
technician mechanic repairman engineer craftsman
resolve solve fix settle over
acknowledge confirm seen noticed notice
valid validity expire
expire expiry run_out end expiration expires
result outcome answer answers response
statistics clicked clicks opened viewed
update change edit modify alter adjust set correct fix patch amend revise rewrite wrong mistake typo different rename tweak
replace swap substitute exchange overwrite
cancel call_off abort void revoke withdraw stop
return take_back give_back bring_back send_back sent_back
send deliver email mail dispatch notify transmit forward message
ship dispatch deliver send consign
pay settle charge bill paid payment
refund reimburse pay_back give_back money_back repay
water watering irrigation irrigate
animal cow cattle livestock pet
meal food eat dish dishes menu
approve accept confirm authorize allow sign_off permit grant
reject decline refuse deny turn_down
assign allocate give hand_over delegate appoint attach
unassign release detach
enable activate turn_on switch_on start
disable deactivate turn_off switch_off suspend stop block
start begin launch run kick_off trigger execute
stop end halt terminate finish close shut_down
close finish complete resolve end shut finalize
reopen restart resume open_again
pause hold suspend freeze stop interrupt
void invalid annul nullify
end cancel stop quit terminate
record enter register log write_down note create
archive store_away retire shelve
restore recover undelete bring_back undo
duplicate copy clone replicate
move transfer relocate shift
merge combine join consolidate unify
split divide separate
export download save dump extract
import upload load ingest
publish release post make_public go_live
schedule plan book arrange set_up calendar appointment
reschedule postpone move delay put_off push_back
reserve book hold
book reservation booking reserve
renew extend prolong
upgrade promote raise
downgrade demote lower
lock block freeze
unlock unblock release
subscribe sign_up enroll join register
unsubscribe opt_out leave
login log_in sign_in authenticate
logout log_out sign_out
invite ask_to_join
verify check validate confirm inspect
check verify test inspect examine look_at
calculate compute work_out figure_out determine
count how_many number total amount tally
estimate predict forecast project expected
forecast prediction outlook predict weather
compare contrast difference versus
summarize sum_up summary digest overview brief
report statistics stats analytics figures numbers summary
analyze examine study evaluate
track follow trace monitor watch where_is
monitor watch observe
remind reminder alert
alert warning alarm notification warn
notify alert tell inform message notification
share give_access send
grant give_access permission allow
revoke take_away withdraw remove_access
reset clear restore
rotate renew replace
sync synchronize refresh
refresh reload renew
rename call name title
tag label mark category
comment remark note reply annotate
note memo remark
rate score review rating
review rating feedback opinion evaluate
translate convert language
convert turn_into transform translate
print hardcopy
scan check inspect
deploy release roll_out ship go_live
rollback roll_back revert undo
upload attach put
customer client buyer account shopper guest consumer purchaser
user account person member people login
employee staff worker colleague person people personnel team_member hire workforce
hire recruit employ onboard
candidate applicant job_seeker
job position vacancy role opening
salary pay wage payroll compensation earnings
leave vacation holiday time_off absence day_off
timesheet hours worked
department team division unit
manager boss supervisor
order purchase sale bought buy
product item article goods merchandise thing sku
inventory stock supply available availability on_hand left
warehouse depot storage store
price cost amount charge how_much fee rate
discount coupon voucher promotion promo rebate price_cut offer
cart basket
invoice bill charge billing
payment transaction pay charge paid
transaction transfer payment booking
expense cost spending expenditure receipt
budget spending plan
tax vat duty levy
account balance
balance funds money left_over
bank account
loan credit mortgage lending
card credit_card debit_card
subscription plan membership
supplier vendor provider seller supply
company firm business organization organisation enterprise
vendor supplier seller merchant
contract agreement deal
quote quotation offer estimate proposal
lead prospect opportunity
opportunity deal lead
campaign promotion marketing advertising
email mail message
message text chat mail sms
call phone ring telephone dial
contact person address_book
address location street place
meeting appointment call conference
event appointment happening gathering conference
calendar schedule agenda
task todo to_do assignment chore work_item
project initiative
milestone deadline goal target
ticket issue case request problem complaint incident
issue bug problem defect ticket
incident outage failure disruption emergency
bug defect error fault
error failure fault exception
document file paper doc
file document attachment
folder directory
image picture photo photograph illustration
video clip movie film recording
article post story knowledge
page website site
website site page domain
server machine host instance computer vm
instance server machine
database db
backup copy snapshot
log logs record history journal
history past log previous
certificate cert ssl tls
password passphrase credentials secret
key token credential secret
token key credential
role permission rights
permission right access privilege
setting preference configuration option config
configuration settings config
patient sick_person
doctor physician practitioner
prescription medication medicine drug
medication medicine drug pill
diagnosis condition illness disease
appointment visit meeting consultation
hospital clinic
insurance policy coverage
policy insurance rule
claim damage
student pupil learner
teacher instructor lecturer professor tutor
course class lesson subject training
class lesson course
grade mark score
exam test examination quiz
book title volume
library books
flight plane airline fly
hotel accommodation lodging
room accommodation
trip journey travel itinerary
car vehicle automobile
vehicle car truck van automobile
driver chauffeur
route way path directions
delivery shipment parcel package shipping
shipment delivery parcel package consignment freight
package parcel shipment
property house apartment real_estate flat home
tenant renter lodger occupant
rent lease
lease rental tenancy rent
maintenance repair service upkeep
repair fix mend
restaurant diner eatery
menu dishes
table seat
recipe dish cooking
ingredient component
song track music tune
playlist songs
artist musician singer band
game match
player gamer
team squad group
score points result
survey poll questionnaire
question query
answer reply response
reply answer respond
form questionnaire
donation gift contribution
volunteer helper
member participant
group team
weather temperature rain climate
temperature heat degrees warm cold
sensor probe meter
device gadget machine equipment
equipment gear machine asset
asset equipment property
light lamp bulb
currency money exchange
exchange_rate currency conversion
revenue income sales turnover earnings
sales revenue sold
profit margin earnings
location place position where
country nation state
city town
date day when
time hour when
current now right_now currently present at_the_moment today live
tomorrow next upcoming forecast future
owner holder
name title
status state progress condition
priority urgency importance
urgent critical emergency
late overdue delayed
overdue late unpaid outstanding past_due
unpaid outstanding overdue open not_paid not_been_paid
newest latest recent last
oldest first earliest
top best highest
low short scarce running_out
"""
_IRREGULAR = {
    "people": "person", "bought": "buy", "sold": "sell", "sent": "send", "paid": "pay", "made": "make", "got": "get",
    "gave": "give", "took": "take", "left": "leave", "found": "find", "went": "go", "children": "child", "men": "man",
    "women": "woman", "began": "begin", "wrote": "write", "written": "write", "spent": "spend", "built": "build", "ran": "run",
    "saw": "see", "told": "tell", "met": "meet",
}  # fmt: skip
# fmt: off
WEAK = frozenset("""
make made making take took taken put give gave given get got getting bring set go run have let keep do use used using
""".split())
STOPWORDS = frozenset("""
a an the of for to in on at by with from into onto and or but if is are was were be been being am it its this that these those
my our your their his her me us i we you he she they them him what who whom whose how do does did done can could would should will
shall may might must please need want like have has had there here any some each one ones someone somebody something anyone
anybody anything everyone everybody everything another other others else more most as so than then just about up out off over
under again also too very not no yes let lets s t re ve ll d m hasn haven isn aren wasn weren don doesn didn won goes going come
came comes seen still yet already ever
""".split())
# fmt: on
_DISCOUNT = 0.8


def stems(word: str) -> list[str]:
    """The forms of a word that may be in the thesaurus, the word itself first."""
    found = [word]
    if word in _IRREGULAR:
        found.append(_IRREGULAR[word])
    for ending, others in (
        ("ies", ("y",)),
        ("es", ("", "e")),
        ("s", ("",)),
        ("ing", ("", "e")),
        ("ied", ("y",)),
        ("ed", ("", "e")),
        ("er", ("", "e")),
    ):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            base = word[: -len(ending)]
            found += [base + other for other in others]
            if ending in {"ing", "ed"} and len(base) > 2 and base[-1] == base[-2]:
                found.append(base[:-1])
    return found


@cache
def _table() -> tuple[dict[str, dict[str, float]], re.Pattern[str]]:
    """The synonyms of each word, and the phrases that count as one word."""
    table: dict[str, dict[str, float]] = {}
    phrases: set[str] = set()
    for line in filter(None, _GROUPS.splitlines()):
        words = line.split()
        phrases.update(word for word in words if "_" in word)
        for place, word in enumerate(words):
            others = table.setdefault(word, {})
            for other in words:
                if other != word and "_" not in other:
                    weight = _DISCOUNT if place == 0 or other == words[0] else _DISCOUNT**2
                    others[other] = max(others.get(other, 0.0), weight)
    longest_first = sorted(phrases, key=len, reverse=True)
    spelled = "|".join(re.escape(phrase).replace("_", r"\s+") for phrase in longest_first)
    return table, re.compile(rf"\b({spelled})\b")


def join_phrases(text: str) -> str:
    """Write each known phrase in ``text`` as one word: ``get rid of`` becomes ``get_rid_of``."""
    return _table()[1].sub(lambda match: "_".join(match[0].split()), text)


def synonyms(word: str) -> dict[str, float]:
    """The synonyms of a word, each with its weight relative to the word itself."""
    table = _table()[0]
    for form in stems(word):
        if form in table:
            return table[form]
    return {}
