/** Top-level modules of Python's standard library (3.9 to 3.14) and of pytest's own stack: what a runner imports first. */
export const PYTHON_MODULE_NAMES: readonly string[] = `
__future__ __main__ _abc _ast _asyncio _bisect _bootsubprocess _codecs _collections _collections_abc _compat_pickle
_compression _contextvars _csv _ctypes _datetime _decimal _functools _hashlib _heapq _imp _io _json _locale _lsprof
_markupbase _multiprocessing _opcode _operator _osx_support _pickle _posixsubprocess _py_abc _pydatetime _pydecimal _pyio
_pylong _queue _random _signal _sitebuiltins _socket _sqlite3 _sre _ssl _stat _statistics _string _strptime _struct _symtable
_sysconfigdata _thread _threading_local _tkinter _tracemalloc _typing _uuid _warnings _weakref _weakrefset _winapi _zoneinfo
abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex bisect
builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression
concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib
dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions
ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib
imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal
math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator
optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint
profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource
rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver
spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol
symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token
tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv
warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
pytest _pytest pluggy iniconfig packaging py exceptiongroup tomli colorama pygments pkg_resources setuptools
`
  .trim()
  .split(/\s+/);
