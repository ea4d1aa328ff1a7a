"""Words that mean the same, or nearly the same, to people who work with tools.

Two lists of our own: in `_SAME` any word of a line may stand for any other; in `_NEAR`
the words of a line point to the same deed often enough to be worth a try. The index adds
them to a query with less weight than the words that were really said.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from toolcrib.search.stem import stem

_SAME: Final = """
remove delete rm erase unlink drop
show display view print
list ls enumerate
folder directory dir
copy cp duplicate clone
move mv rename
create make new generate add
change modify edit alter update
start launch run begin boot
stop halt terminate kill end quit
restart reload reboot
execute run invoke exec
find search locate lookup query
get fetch retrieve obtain
download fetch pull
upload push send publish
install setup
uninstall remove
upgrade update
compress zip pack gzip
decompress extract unzip unpack uncompress
archive tar tarball
repository repo
configuration config configure settings setting preferences
environment env
variable var
argument parameter option flag arg
package library module dependency
application app program
executable binary
container docker
image picture photo
kubernetes k8s kube
database db
table relation
directory path
address addr
authentication auth login authenticate signin
logout signout
password passphrase secret credential
permission privilege mode chmod access
owner chown ownership
user account
group team
certificate cert
encrypt cipher encipher
decrypt decipher
sign signature
key token
connect attach link
disconnect detach unlink
mount attach
unmount umount detach
network net
interface nic
internet web online
website site webpage
url link uri address
browser web
server host machine
client customer
process task job
thread process
service daemon unit
log logs journal
message text
error failure fault
debug diagnose troubleshoot
test check verify
validate check verify lint
compare diff difference
merge combine join
concatenate join combine cat
split divide separate
sort order arrange
count number total tally wc
filter select match
replace substitute swap
convert transform translate
format layout
parse analyze analyse
compile build make
deploy release rollout
branch head
commit revision changeset
history log past
stash shelve save
undo revert rollback restore reset
backup snapshot dump
restore recover
save store write
open launch
close shut
lock freeze
unlock unfreeze
enable activate on
disable deactivate off
pause suspend
resume continue unpause
schedule cron timer
wait sleep delay
watch monitor follow observe
current active present
information info detail details
status state condition health
help usage manual man documentation docs
version release
default preset
size length
disk drive storage volume
memory ram
cpu processor
hardware device
usb serial
screen display monitor
terminal console shell tty
script program
command cmd
line row
column field
word term
character char letter
string text
pattern regex regexp expression
beginning start head first
end tail last
input stdin
output stdout
symlink symbolic shortcut
recursive recursively subdirectories nested
temporary temp tmp
date time clock
calendar date
timezone tz
email mail
phone telephone mobile
movie film
music song audio
video movie clip
buy purchase order
book reserve reservation booking
ticket issue
price cost
weather forecast
city town location place
route directions path
trip travel journey
hotel accommodation
restaurant eatery dining
car vehicle auto
doctor physician
job career position
calculate compute evaluate
sum add total
multiply product times
divide quotient ratio
average mean
maximum max highest largest
minimum min lowest smallest
convert exchange
currency money
bank account
initialize init initialise
property metadata attribute
unused dangling orphan
repair fix correct mend
lint analyze check
vulnerability security
rerun retry
bump increment increase
decrease reduce lower
synchronize sync
authorize grant allow permit
deny forbid block revoke
subscribe watch follow
unsubscribe unwatch
assign attach give
inspect examine describe
preview dry simulate
template boilerplate skeleton scaffold
plugin addon extension
shell console prompt
interactive interactively
benchmark measure
profile account
organization org company
topic subject
comment note remark
label tag
milestone release
notification alert
webhook callback
queue backlog
instance machine server
region zone location
quota limit
bucket storage
function lambda
subcommand command
quiet silent silently
verbose detailed
force forcibly
checksum hash digest
port forward tunnel
proxy gateway
subnet network
tar archive
headline title heading
translate language
person people human
song track tune
appointment meeting event
flight plane airline
recipe dish meal cooking
stock share equity
patient medical health
law legal court lawsuit
team club
game match
artist singer musician band
museum gallery exhibition
property house apartment
distance far
speed velocity fast
statistics stats
""".strip()

_NEAR: Final = """
show list get describe info view inspect
print output echo write
display see look render
count length size
create initialize init setup start
add append insert include
remove clean clear purge prune uninstall wipe
change set update configure adjust
edit update
find grep filter match get
search grep match scan
get read show download obtain
download wget curl get
upload put transfer
transfer send copy move
copy transfer sync
sync synchronize mirror rsync
run exec call perform
start up enable
stop down disable cancel abort
close exit leave
install add get
package project artifact
dependency requirement
project workspace repository
file document
content contents body data
directory tree
file path
user person people member
login connect
permission owner role policy right
secure encrypt
network connection
port socket listen
ip address network
host domain hostname
dns domain resolve
request call
server service
process pid ps top
kill signal
memory usage
disk space usage df du
free available
text file
line text
sort unique uniq duplicate
number digit integer numeric
replace edit sed
difference change patch
branch checkout switch
switch change use select
checkout switch
commit save record
upload remote push
download remote pull
release tag version
publish release deploy
build image compile
test run
cluster node
node machine
pod container
virtual vm machine instance
cloud remote
remote ssh
log output
error warning
schedule plan
time duration
picture graphic icon
convert export import
export save dump
import load read
load open
link alias shortcut
alias shortcut
symbolic ln link
help explain describe
documentation readme page
session window
window pane tab
key shortcut binding
color colour
screenshot capture screen
record capture
play start
volume sound audio
theme style
plugin extension addon module
extension suffix
name title label
identifier id
unique distinct different
all every each entire whole
empty blank
existing present available
latest newest recent last
previous old earlier
modified changed
hidden dot
large big
small little
multiple several many
specific given certain particular
initialize new create
prune clean remove unused
inspect info details metadata properties
authenticate whoami credentials
shell exec run inside
logs tail output
audit scan vulnerability
bump version
scale replica number
switch use activate default
completion autocomplete
template new create
outdated upgrade newer
interactive prompt
inside exec within
serve server local development
development dev
production prod
preview plan
watch rebuild changes
pack bundle archive
bundle build
resolve dependency lock
lockfile freeze lock
registry repository index source
mirror source
proxy tunnel
rollback undo previous
upstream remote
tag label annotate
rename move
metadata info
current whoami pwd
graph tree dependency
tree structure hierarchy
available list
installed list
matching filter search
open edit view
browse open browser
homepage browser home
issue bug
pull request merge
locally local
""".strip()


_DEEDS: Final = """
permission mode executable access writable readable: chmod
owner ownership: chown
group: chgrp
symlink symbolic shortcut hardlink: ln link
folder directory: mkdir rmdir cd pwd
empty timestamp: touch truncate
file files directory recursively modified older newer: find
occurrence text string pattern regex containing matching lines: grep
replace substitute: sed
column field columns fields: awk cut
character characters newline uppercase lowercase: tr
first beginning top: head
last end follow bottom: tail
count lines words characters: wc
duplicate duplicates unique repeated distinct: uniq sort
sort order alphabetically numerically: sort
reverse backwards: tac rev
number numbered: nl seq
merge lines side: paste join
split pieces chunks: split csplit
page scroll: less more
concatenate contents: cat
hex hexadecimal octal binary dump bytes: od xxd hexdump
difference differences compare: diff cmp comm
sum arithmetic calculator: bc expr
argument arguments each: xargs
variable environment: env export printenv set
message text: echo printf
prompt answer input: read
copy remote server securely: scp rsync ssh
tunnel remote host machine connection: ssh
download webpage url http request: curl wget
resolve domain nameserver record: dig nslookup host
address interface interfaces ip: ip ifconfig
port ports listening connections sockets: netstat ss lsof
packet packets traffic capture: tcpdump
reachable latency: ping traceroute
open handles: lsof
process processes pid running: ps pgrep top
kill signal terminate: kill pkill killall
background hangup detached: nohup bg jobs disown
job schedule periodically daily hourly: crontab at
logged users online: who w last users
current user myself identity: whoami id
disk space free filesystem: df
disk usage folder size: du
memory swap: free
kernel architecture operating: uname
uptime load: uptime
partition format filesystem: fdisk mkfs parted
device attach: mount
archive compress backup: tar zip gzip bzip2 xz
extract decompress: tar unzip gunzip
checksum hash digest: md5sum sha256sum
path name parent script: dirname basename realpath readlink
random shuffle: shuf
date day time timezone: date
calendar month year: cal
execution duration: time
screen file both: tee
trace syscalls: strace
keypair fingerprint: ssh keygen
service unit systemd daemon boot: systemctl service
journal: journalctl
firewall: iptables ufw
superuser root administrator: sudo su
user account: useradd usermod passwd
terminal multiplexer pane session: tmux screen
history previous: history fc
commit branch stash rebase unstage staging worktree cherry upstream: git
unstage undo: reset restore
pull request issue gist fork: gh hub glab
pod pods deployment namespace kubeconfig node replica: kubectl
chart: helm
container image dockerfile registry: docker podman
compose: docker
crate crates toolchain rust: cargo rustup
gem gems ruby: gem bundle
formula cask tap homebrew: brew
module package javascript node: npm yarn pnpm bun
monorepo: lerna nx turbo
virtualenv python interpreter wheel: pip conda poetry uv
wordpress post plugin theme: wp
infrastructure resource state provision: terraform pulumi
playbook inventory: ansible
droplet: doctl
android emulator apk: adb
simulator xcode: xcrun xcodebuild
worker edge: wrangler
migration controller scaffold: rails artisan django
component directive: ng nest
solution assembly framework: dotnet
vault credential credentials password: pass lpass vault
dotfiles: chezmoi yadm
virtual machine hypervisor: multipass vagrant
january february march april june july august september october november december: date
today tomorrow yesterday tonight weekend: date
dollar dollars euro euros: currency amount
celsius fahrenheit temperature: weather
""".strip()


@cache
def _groups(lines: str) -> dict[str, tuple[str, ...]]:
    """Stem to the stems on the same line; made when first asked for."""
    table: dict[str, dict[str, None]] = {}
    for line in lines.splitlines():
        stems = [stem(word) for word in line.split()]
        for one in stems:
            table.setdefault(one, {}).update(dict.fromkeys(stems))
    return {one: tuple(other for other in others if other != one) for one, others in table.items()}


def knows(word: str) -> bool:
    """Return whether a stem is a word of the field, and so no slip of the pen."""
    return any(word in table for table in (_groups(_SAME), _groups(_NEAR), _does()))


def same(word: str) -> tuple[str, ...]:
    """Return the stems that mean the same as a stem."""
    return _groups(_SAME).get(word, ())


def near(word: str) -> tuple[str, ...]:
    """Return the stems that are often meant along with a stem."""
    return _groups(_NEAR).get(word, ())


def deeds(word: str) -> tuple[str, ...]:
    """Return the stems of what does the thing that a stem is about."""
    return _does().get(word, ())


def spelt(word: str) -> str:
    """Return a stem as it is written, where it is a word of the field."""
    return _spellings().get(word, word)


@cache
def _spellings() -> dict[str, str]:
    listed = " ".join((_SAME, _NEAR, _DEEDS)).replace(":", " ").split()
    return {stem(word): word for word in reversed(listed)}


@cache
def _does() -> dict[str, tuple[str, ...]]:
    table: dict[str, dict[str, None]] = {}
    for line in _DEEDS.splitlines():
        about, _, doers = line.partition(":")
        found = dict.fromkeys(stem(word) for word in doers.split())
        for word in about.split():
            table.setdefault(stem(word), {}).update(found)
    return {word: tuple(found) for word, found in table.items()}
