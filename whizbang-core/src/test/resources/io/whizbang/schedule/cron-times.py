# Works out when cron expressions fire, for cron-times.txt, by trying every local time of a day with CPython's zoneinfo. Where the rules
# are the same, croniter (pip install croniter) is asked too; it differs only in firing twice at times that exist twice.
# An expression for all 24 hours tells no time of day: it has the times that clocks show, twice in an hour that comes twice.
# python3 cron-times.py
import sys
from datetime import datetime, timedelta, timezone, date
from zoneinfo import ZoneInfo
import calendar
MAC={'@yearly':'0 0 0 1 1 *','@annually':'0 0 0 1 1 *','@monthly':'0 0 0 1 * *','@weekly':'0 0 0 * * 0','@daily':'0 0 0 * * *','@midnight':'0 0 0 * * *','@hourly':'0 0 * * * *'}
MON={n:i+1 for i,n in enumerate('JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split())}
DOW={n:i for i,n in enumerate('SUN MON TUE WED THU FRI SAT'.split())}
def num(t,names): 
    t=t.upper(); return names[t] if t in names else int(t)
def simple(f,lo,hi,names={}):
    out=set()
    for part in f.split(','):
        step=1
        if '/' in part: part,st=part.split('/'); step=int(st); stepped=True
        else: stepped=False
        if part in('*','?'): a,b=lo,hi
        elif '-' in part: a,b=[num(x,names) for x in part.split('-')]
        else: a=num(part,names); b=hi if stepped else a
        out|=set(range(a,b+1,step))
    return out
def dom_ok(f,d):
    last=calendar.monthrange(d.year,d.month)[1]
    if f=='L': return d.day==last
    if f=='LW':
        x=date(d.year,d.month,last)
        while x.weekday()>4: x-=timedelta(1)
        return d==x
    if f.startswith('L-'): return d.day==last-int(f[2:])
    if f.endswith('W'):
        n=int(f[:-1]); 
        if n>last: return False
        x=date(d.year,d.month,n)
        if x.weekday()==5: x = x-timedelta(1) if n>1 else x+timedelta(2)
        elif x.weekday()==6: x = x+timedelta(1) if n<last else x-timedelta(2)
        return d==x
    return d.day in simple(f,1,31)
def dow_ok(f,d):
    w=(d.weekday()+1)%7
    if '#' in f:
        a,n=f.split('#'); return w==num(a,DOW)%7 and (d.day-1)//7+1==int(n)
    if f.endswith('L') and f!='L':
        a=num(f[:-1],DOW)%7; last=calendar.monthrange(d.year,d.month)[1]
        return w==a and d.day>last-7
    s={x%7 for x in simple(f,0,7,DOW)}
    return w in s
def instants(d,fields,z):
    s,m,h,dm,mo,dw=fields
    if d.month not in simple(mo,1,12,MON) or not dom_ok(dm,d) or not dow_ok(dw,d): return
    for hh in sorted(simple(h,0,23)):
        for mm in sorted(simple(m,0,59)):
            for ss in sorted(simple(s,0,59)):
                loc=datetime(d.year,d.month,d.day,hh,mm,ss)
                u=loc.replace(tzinfo=z,fold=0).astimezone(timezone.utc)
                back=u.astimezone(z).replace(tzinfo=None)
                every=simple(h,0,23)==set(range(24))
                if back!=loc and every: continue
                if back!=loc:
                    # gap: go through the seconds until the offset changes
                    lo=u-timedelta(hours=3); hi=u+timedelta(hours=3)
                    while hi-lo>timedelta(seconds=1):
                        mid=lo+(hi-lo)/2; mid=mid.replace(microsecond=0)
                        if mid.astimezone(z).utcoffset()==lo.astimezone(z).utcoffset(): lo=mid
                        else: hi=mid
                    yield hi
                else:
                    yield u
                    if every:
                        u1=loc.replace(tzinfo=z,fold=1).astimezone(timezone.utc)
                        if u1!=u: yield u1
def nxt(cron,zone,after):
    text=MAC.get(cron,cron); f=text.split()
    if len(f)==5: f=['0']+f
    z=ZoneInfo(zone)
    d=after.astimezone(z).date()-timedelta(1)
    for _ in range(366*9):
        c=sorted(x for dd in (d,d+timedelta(1)) for x in instants(dd,f,z) if x>after)
        if c: return c[0]
        d+=timedelta(1)
rows=[]
def r(cron,zone,*afters):
    for a in afters: rows.append((cron,zone,a))
U='UTC'; B='Europe/Berlin'; N='America/New_York'; S='Australia/Sydney'; L='Australia/Lord_Howe'; SP='America/Sao_Paulo'
r('* * * * *',U,'2026-03-10T10:15:30Z','2026-12-31T23:59:00Z')
r('*/15 * * * * *',U,'2026-03-10T10:15:30Z','2026-03-10T10:15:45Z')
r('0 0 12 * * *',U,'2026-03-10T12:00:00Z','2026-03-10T11:59:59Z')
r('0 12 * * *',U,'2026-03-10T12:00:00Z')
r('15,45 8-10 * * MON-FRI',U,'2026-03-13T10:45:00Z','2026-03-13T09:00:00Z')
r('0 0 9 * * 7',U,'2026-03-10T12:00:00Z'); r('0 0 9 * * 0',U,'2026-03-10T12:00:00Z'); r('0 0 9 ? * SUN',U,'2026-03-10T12:00:00Z')
r('0 0 0 1 JAN *',U,'2026-03-10T12:00:00Z')
r('0 0 0 13 * FRI',U,'2026-03-14T00:00:00Z')
r('5/20 * * * *',U,'2026-03-10T10:26:00Z','2026-03-10T10:45:00Z')
r('0 0 */5 * * *',U,'2026-03-10T20:00:00Z')
for m in MAC: r(m,B,'2026-06-10T12:34:56Z')
r('@yearly',N,'2026-12-31T23:59:59Z','2027-01-01T04:59:59Z'); r('@monthly',S,'2026-02-27T12:00:00Z')
r('59 59 23 31 12 *',B,'2026-12-31T22:59:58Z','2026-12-31T22:59:59Z')
r('0 0 0 29 2 *',U,'2026-03-01T00:00:00Z','2028-02-29T00:00:00Z'); r('0 30 6 29 FEB *',N,'2027-01-01T00:00:00Z')
r('0 0 18 L * *',U,'2026-02-27T00:00:00Z','2026-02-28T18:00:00Z','2028-02-28T19:00:00Z','2026-04-30T18:00:00Z')
r('0 0 18 LW * *',U,'2026-01-01T00:00:00Z','2026-05-01T00:00:00Z','2026-10-30T18:00:00Z')
r('0 0 18 L-2 * *',U,'2026-02-01T00:00:00Z'); r('0 0 18 15W * *',U,'2026-08-01T00:00:00Z','2026-11-01T00:00:00Z'); r('0 0 18 1W * *',U,'2026-07-31T20:00:00Z')
r('0 0 18 ? * FRI#2',U,'2026-03-01T00:00:00Z'); r('0 0 18 ? * MON#5',U,'2026-04-01T00:00:00Z'); r('0 0 18 ? * FRIL',U,'2026-03-01T00:00:00Z'); r('0 0 18 ? * 5L',B,'2026-03-27T16:00:00Z','2026-10-30T17:00:00Z')
r('0 0 0 31 * *',U,'2026-01-31T00:00:00Z','2026-03-31T00:00:00Z')
# spring forward: Berlin 2026-03-29 01:00Z, New York 2026-03-08 07:00Z, Sydney 2026-10-03 16:00Z, Lord Howe 2026-10-03 15:30Z
r('0 30 2 * * *',B,'2026-03-28T00:00:00Z','2026-03-28T01:30:00Z','2026-03-29T01:00:00Z')
r('30 2 * * *',N,'2026-03-08T00:00:00Z','2026-03-08T07:00:00Z'); r('30 2 * * *',S,'2026-10-03T00:00:00Z','2026-10-03T16:00:00Z')
r('0 0 3 * * *',B,'2026-03-29T00:59:59Z'); r('0 15,45 2 * * *',B,'2026-03-29T00:00:00Z','2026-03-29T01:00:00Z')
r('0 0/10 * * * *',B,'2026-03-29T00:50:00Z','2026-03-29T01:00:00Z'); r('0 30 * * * *',B,'2026-03-29T00:30:00Z','2026-03-29T01:00:00Z')
r('0 15 2 * * *',L,'2026-10-03T12:00:00Z','2026-10-03T15:30:00Z')
r('0 0 0 * * *',SP,'2018-11-03T12:00:00Z','2018-11-04T03:00:00Z')
# fall back: Berlin 2026-10-25 01:00Z, New York 2026-11-01 06:00Z, Sydney 2026-04-04 16:00Z, Lord Howe 2026-04-04 15:00Z
r('0 30 2 * * *',B,'2026-10-25T00:00:00Z','2026-10-25T00:30:00Z','2026-10-25T01:15:00Z','2026-10-25T01:30:00Z')
r('30 1 * * *',N,'2026-11-01T05:00:00Z','2026-11-01T05:30:00Z','2026-11-01T06:10:00Z'); r('30 2 * * *',S,'2026-04-04T15:00:00Z','2026-04-04T15:30:00Z','2026-04-04T16:10:00Z')
r('0 0 3 * * *',B,'2026-10-25T00:59:00Z'); r('0 0/30 1-3 * * *',B,'2026-10-25T00:30:00Z')
# every hour, however it is written, goes by what clocks show; every second hour does not
r('0 30 0-23 * * *',B,'2026-03-29T00:30:00Z','2026-10-25T00:30:00Z','2026-10-25T01:30:00Z'); r('0 5/10 */1 * * *',N,'2026-03-08T06:55:00Z','2026-11-01T05:55:00Z')
r('0 0 * * * *',L,'2026-10-03T14:30:00Z','2026-04-04T14:00:00Z','2026-04-04T15:30:00Z'); r('0 0 * * * SUN',B,'2026-03-29T00:00:00Z','2026-10-25T00:00:00Z','2026-10-25T01:00:00Z')
r('0 0 */2 * * *',B,'2026-10-25T00:00:00Z','2026-03-29T00:00:00Z'); r('0 0 0/1 * * *',SP,'2018-11-04T02:00:00Z','2018-02-18T01:00:00Z','2018-02-18T02:00:00Z')
r('0 0/30 * * * *',B,'2026-10-25T00:30:00Z','2026-10-25T01:00:00Z','2026-10-25T01:30:00Z'); r('@hourly',N,'2026-11-01T05:00:00Z','2026-11-01T06:00:00Z'); r('* * * * *',S,'2026-04-04T15:59:00Z','2026-04-04T16:59:00Z')
r('0 45 1 * * *',L,'2026-04-04T14:00:00Z','2026-04-04T14:45:00Z'); r('0 30 23 * * *',SP,'2018-02-17T12:00:00Z','2018-02-18T01:30:00Z')
r('0 0 12 * * *','Asia/Kathmandu','2026-03-10T12:00:00Z'); r('0 0 9 * * MON','Pacific/Kiritimati','2026-03-08T18:00:00Z')
P=lambda t: datetime.fromisoformat(t.replace('Z','+00:00'))
try: from croniter import croniter
except ImportError: croniter=None; print('croniter is not there and is not asked',file=sys.stderr)
agree=dis=0
for c,z,a in rows:
    e=nxt(c,z,P(a))
    if croniter and (c in MAC or len(c.split())==5 and not any(x in c for x in 'LW#?')):
        k=MAC.get(c); k=' '.join(k.split()[1:]) if k else c
        if not(k.split()[2]!='*' and k.split()[4]!='*'):
            g=croniter(k,P(a).astimezone(ZoneInfo(z))).get_next(datetime).astimezone(timezone.utc)
            if g==e: agree+=1
            else: dis+=1; print('croniter differs',c,z,a,e,g,file=sys.stderr)
    print("%s | %s | %s | %s"%(c,z,a,e.strftime('%Y-%m-%dT%H:%M:%SZ')))
print('rows, croniter agrees, differs:',len(rows),agree,dis,file=sys.stderr)
