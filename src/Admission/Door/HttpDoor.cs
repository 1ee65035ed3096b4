using Gateway.Admission.Clients;
using Gateway.Admission.Lanes;
using Gateway.Admission.Rates;
using Gateway.Admission.Stages;
using Gateway.Codec.Tables;

namespace Gateway.Admission.Door;

/// <summary>
/// The HTTP stages: caps and rates of connections, rates of requests. At a cap a connection without a request under
/// way makes room for a newcomer, the oldest of the address that holds most; one with a request never. Of the last
/// sixth of the places an address that holds more than a sixth gets none: it has to make room itself (R46). Looking for
/// the victim walks the idle connections, of which there are at most as many as the cap. The last few places are for
/// newcomers that may ask for the health paths: an orchestrator that gets no answer ends the process. There any other
/// request is refused, until there is an ordinary place. Threads: any; its lock is a leaf, and connections are asked to
/// give way outside of it.
/// </summary>
public sealed class HttpDoor(AdmissionControl control)
{
    private const int Parts = 6;
    private const int MostPartsForHealth = 4;

    /// <summary>Counted when the connection was chosen. Come back at once, on another connection.</summary>
    private static readonly Decision GivenWay = new(
        RefusalReason.Recycled, ReasonTable.StatusOf(AdmissionStage.Http, RefusalReason.Recycled), 0);

    private readonly Lock _lock = new();
    private readonly TokenBucket _bucket =
        new TokenRate(control.Time, control.Limits.MaxHttpConnectionsPerSecond, TokenRate.Burst).NewBucket();
    private readonly TokenRate _connectionRate = new(
        control.Time, control.Limits.MaxHttpConnectionsPerSecondPerAddress, TokenRate.Burst);
    private readonly TokenRate _requestRate = new(
        control.Time, control.Limits.MaxHttpRequestsPerSecondPerAddress, TokenRate.Burst);

    private AgeList<HttpPlace> _idle;
    private int _limit = control.Limits.MaxHttpConnections;
    private int _count;
    private int _forHealth;
    private long _lastSerial;
    private long _late;
    private int _requests;

    /// <summary>Limits:MaxHttpConnections, or less where the process has not as many descriptors.</summary>
    public int Limit => Volatile.Read(ref _limit);

    public int Count => Volatile.Read(ref _count);

    /// <summary>All that were let in and have not left, page by page.</summary>
    public PageTable<HttpPlace> Pages { get; } = new();

    public int RequestsUnderWay => Volatile.Read(ref _requests);

    /// <summary>Connections whose answer was late by the transport's look at it, before its sender's.</summary>
    public long Late => Volatile.Read(ref _late);

    /// <summary>Once, when it is known how many descriptors there are.</summary>
    public void Lower(int limit)
    {
        lock (_lock)
            _limit = Math.Max(1, Math.Min(_limit, limit));
    }

    /// <summary>Lets the connection in, at another's expense where it must, or refuses it. One that was refused does
    /// not leave.</summary>
    public Decision Arrive(HttpPlace place)
    {
        var account = control.Clients.HoldAddress(place.Address);
        account.Attempted();
        var reason = RateReason(account, out var retryAfter);
        HttpPlace? victim = null;
        if (reason == RefusalReason.None)
        {
            lock (_lock)
                reason = TakeUnderLock(place, account, out victim);
        }

        if (victim is not null)
        {
            control.Refuse(AdmissionStage.HttpConnection, RefusalReason.Recycled, victim.Account!, null, null, default);
            victim.GiveWay();
        }

        if (reason == RefusalReason.None)
        {
            place.Serial = Interlocked.Increment(ref _lastSerial);
            place.Since = control.Time.GetTimestamp();
            place.Number = Pages.Add(place);
            control.Stages.Admit(AdmissionStage.HttpConnection);
            return Decision.Admit;
        }

        control.Clients.ReleaseAddress(account);
        return control.Refuse(AdmissionStage.HttpConnection, reason, account, null, null, retryAfter);
    }

    /// <summary>It has ended, by either side.</summary>
    public void Leave(HttpPlace place)
    {
        lock (_lock)
        {
            if (place.IsThere)
                RemoveUnderLock(place);
        }

        Pages.Remove(place.Number, place);
        control.Clients.ReleaseAddress(place.Account!);
    }

    /// <summary>For an operator: it ends now, whatever is under way. False: it has ended already.</summary>
    /// <param name="serial">Of the place.</param>
    /// <param name="number">Of the place.</param>
    public bool EndNow(long serial, int number)
    {
        if (Find(serial, number) is not { } place)
            return false;
        place.GiveWay();
        return true;
    }

    /// <summary>Null: it has ended.</summary>
    public HttpPlace? Find(long serial, int number) =>
        Pages.At(number) is { } place && place.Serial == serial ? place : null;

    /// <summary>It was admitted and sent nothing until its deadline.</summary>
    public void Silent(HttpPlace place) => control.Refuse(
        AdmissionStage.HttpConnection, RefusalReason.Silent, place.Account!, null, null, default);

    /// <summary>It sent requests and made no room for the answers until WriteDeadline. Its late answer is counted here:
    /// the web server takes what is written behind the end, so its sender may see none.</summary>
    public void TakesNothing(HttpPlace place)
    {
        place.SetTookNothing();
        if (place.TrySetLate())
            Interlocked.Increment(ref _late);
        control.Refuse(AdmissionStage.HttpConnection, RefusalReason.WriteDeadline, place.Account!, null, null, default);
    }

    /// <summary>A request's header is complete. <see cref="End"/> follows any decision. A connection that has made room
    /// begins no request, so that none is cut off by its end.</summary>
    /// <param name="place">Of its connection.</param>
    /// <param name="isRated">False: it is answered however many its address sends.</param>
    public Decision Begin(HttpPlace place, bool isRated)
    {
        Interlocked.Increment(ref _requests);
        bool isThere;
        bool isFull;
        lock (_lock)
        {
            isThere = place.IsThere;
            isFull = isThere && isRated && !TrySettleUnderLock(place);
            // A connection of HTTP/2 has several at one time.
            place.Requests++;
            ListUnderLock(place);
            place.SetBusy();
        }

        if (!isThere)
            return GivenWay;
        if (isFull)
            return control.Refuse(
                AdmissionStage.HttpConnection, RefusalReason.MaxConnections, place.Account!, null, null, default);
        return isRated ? Ask(place) : Decision.Admit;
    }

    /// <summary>A message of a WebSocket that asks for as much as a request of its own does.</summary>
    public Decision Ask(HttpPlace place) => IsWithinRate(place, out var retryAfter)
        ? Decision.Admit
        : control.Refuse(
            AdmissionStage.Http, RefusalReason.RequestRatePerAddress, place.Account!, null, null, retryAfter);

    /// <summary>The request was answered. Returns the monotonic timestamp of that: reading the clock twice is dear.
    /// </summary>
    public long End(HttpPlace place)
    {
        Interlocked.Decrement(ref _requests);
        lock (_lock)
        {
            var now = control.Time.GetTimestamp();
            place.SetServed();
            if (--place.Requests == 0)
                place.SetIdle(now);
            ListUnderLock(place);
            return now;
        }
    }

    internal void SetYielding(YieldingRequest request, bool yields, bool isOver)
    {
        var place = request.Place;
        lock (_lock)
        {
            if (request.IsOver)
                return;
            request.IsOver = isOver;
            if (request.Yields == yields)
                return;
            request.Yields = yields;
            place.Yielding += yields ? 1 : -1;
            ListUnderLock(place);
        }
    }

    private bool IsWithinRate(HttpPlace place, out TimeSpan retryAfter)
    {
        retryAfter = default;
        return !control.IsEnabled || place.Account!.HttpRequests(_requestRate).TryTake(out retryAfter);
    }

    /// <summary>Of the limit.</summary>
    private int MaxForHealth => Math.Min(control.Limits.HttpConnectionsForHealth, _limit / MostPartsForHealth);

    /// <summary>There is no ordinary place.</summary>
    private bool IsFull => _count - _forHealth >= _limit - MaxForHealth;

    /// <summary>False: it has one of the last places, and there is no ordinary one.</summary>
    private bool TrySettleUnderLock(HttpPlace place)
    {
        if (place.IsForHealth && IsFull)
            return false;
        SetForHealthUnderLock(place, false);
        return true;
    }

    private void SetForHealthUnderLock(HttpPlace place, bool isForHealth)
    {
        if (place.IsForHealth != isForHealth)
            _forHealth += isForHealth ? 1 : -1;
        place.IsForHealth = isForHealth;
    }

    /// <summary>Among those that may make room, or not.</summary>
    private void ListUnderLock(HttpPlace place)
    {
        var isListed = place.IsThere && place.Requests == place.Yielding;
        if (isListed == place.IsListed)
            return;
        place.IsListed = isListed;
        if (isListed)
            _idle.Add(place);
        else
            _idle.Remove(place);
    }

    private RefusalReason RateReason(ClientAccount account, out TimeSpan retryAfter)
    {
        retryAfter = TimeSpan.Zero;
        if (!control.IsEnabled)
            return RefusalReason.None;
        if (!account.HttpArrivals(_connectionRate).TryTake(out retryAfter))
            return RefusalReason.ConnectionRatePerAddress;
        // One that has none yet does not wait for those that have: else a flood would keep every newcomer out.
        return account.HttpConnections == 0 || _bucket.TryTake(out retryAfter)
            ? RefusalReason.None
            : RefusalReason.ConnectionRate;
    }

    private RefusalReason TakeUnderLock(HttpPlace place, ClientAccount account, out HttpPlace? victim)
    {
        victim = null;
        var own = account.HttpConnections;
        var isAtItsCap = own >= control.Limits.MaxHttpConnectionsPerAddress;
        var isInReserve = _count >= _limit - (_limit / Parts) && own > _limit / Parts;
        var isOwn = isAtItsCap || isInReserve;
        if (isOwn || IsFull)
        {
            var hasLast = _forHealth < MaxForHealth;
            victim = VictimUnderLock(isOwn ? account : null, takesLast: isOwn || !hasLast);
            if (victim is not null)
                RemoveUnderLock(victim);
            else if (isOwn || !hasLast)
                return isAtItsCap ? RefusalReason.MaxConnectionsPerAddress : RefusalReason.MaxConnections;
        }

        SetForHealthUnderLock(place, IsFull);
        place.Account = account;
        place.IsThere = true;
        place.SetIdle(control.Time.GetTimestamp());
        ListUnderLock(place);
        _count++;
        account.AddHttpConnections(1);
        return RefusalReason.None;
    }

    /// <param name="account">The account; null: of the address that holds most.</param>
    /// <param name="takesLast">Also of the places for health.</param>
    private HttpPlace? VictimUnderLock(ClientAccount? account, bool takesLast)
    {
        HttpPlace? victim = null;
        for (IAged<HttpPlace>? next = _idle.Oldest; next is HttpPlace place; next = next.Younger)
        {
            if (place.IsForHealth && !takesLast)
                continue;
            if (account is not null && ReferenceEquals(place.Account, account))
                return place;
            if (account is null &&
                (victim is null || place.Account!.HttpConnections > victim.Account!.HttpConnections))
                victim = place;
        }

        return victim;
    }

    private void RemoveUnderLock(HttpPlace place)
    {
        place.IsThere = false;
        ListUnderLock(place);
        SetForHealthUnderLock(place, false);
        _count--;
        place.Account!.AddHttpConnections(-1);
    }
}
