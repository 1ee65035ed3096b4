using System.IO.Pipelines;
using System.Net;
using Gateway.Admission.Door;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Transport.Http;

/// <summary>
/// One HTTP connection as Kestrel sees it: Kestrel's own, and what admission counts. Its <see cref="HttpPlace"/> is a
/// feature, so that requests are reported to it. While no request is under way its own deadlines count; while one is,
/// Kestrel's do, and WriteDeadline for a peer that takes no answers. Owner: Kestrel, which disposes it. Threads:
/// <see cref="End"/> from any.
/// </summary>
internal sealed class HttpLink : ConnectionContext, IDeadlineHolder
{
    private readonly ConnectionContext _inner;
    private readonly HttpPlace _place;
    private readonly HttpSocketListener _listener;
    private readonly TransportContext _context;
    private readonly FairTransport _transport;
    private int _isEnding;
    private int _isClosed;

    public HttpLink(ConnectionContext inner, HttpPlace place, HttpSocketListener listener, TransportContext context)
    {
        (_inner, _place, _listener, _context) = (inner, place, listener, context);
        inner.Features.Set(place);
        inner.Transport = _transport = new FairTransport(inner.Transport, context.Time);
        context.Deadlines.Add(this);
    }

    DeadlineSlot IDeadlineHolder.Slot { get; set; }

    public override string ConnectionId
    {
        get => _inner.ConnectionId;
        set => _inner.ConnectionId = value;
    }

    public override IFeatureCollection Features => _inner.Features;

    public override IDictionary<object, object?> Items
    {
        get => _inner.Items;
        set => _inner.Items = value;
    }

    public override IDuplexPipe Transport
    {
        get => _inner.Transport;
        set => _inner.Transport = value;
    }

    public override CancellationToken ConnectionClosed
    {
        get => _inner.ConnectionClosed;
        set => _inner.ConnectionClosed = value;
    }

    public override EndPoint? LocalEndPoint
    {
        get => _inner.LocalEndPoint;
        set => _inner.LocalEndPoint = value;
    }

    public override EndPoint? RemoteEndPoint
    {
        get => _inner.RemoteEndPoint;
        set => _inner.RemoteEndPoint = value;
    }

    public override void Abort(ConnectionAbortedException abortReason) => _inner.Abort(abortReason);

    /// <summary>The peer is to go. Never blocks: on a thread of the pool.</summary>
    public void End()
    {
        if (Interlocked.Exchange(ref _isEnding, 1) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(
                static link => link._inner.Abort(new ConnectionAbortedException("It is idle, or takes no answers.")),
                this, preferLocal: false);
    }

    public void CheckDeadlines(long now)
    {
        if (Volatile.Read(ref _isEnding) == 0 && CountPassed(now))
            End();
    }

    /// <summary>A deadline has passed, and is counted.</summary>
    private bool CountPassed(long now)
    {
        if (_transport.StalledFor(now) > _context.Limits.WriteDeadline)
        {
            _context.Admission.Http.TakesNothing(_place);
            return true;
        }

        var since = _place.IdleSince;
        if (since == 0)
            return false;
        var hasServed = _place.HasServed;
        var limit = hasServed ? _context.Http.HttpKeepAliveTime : _context.Http.HttpHeaderDeadline;
        if (_context.Time.GetElapsedTime(since, now) < limit)
            return false;
        if (hasServed)
            _context.Counters.HttpKeepAliveEnded();
        else
            _context.Admission.Http.Silent(_place);
        return true;
    }

    public override async ValueTask DisposeAsync()
    {
        _context.Deadlines.Remove(this);
        // Kestrel and the senders of answers have deadlines of the same length, and end it first where the loop is
        // late. The loop, which counts under its lock, is done with it.
        if (Interlocked.Exchange(ref _isEnding, 1) == 0)
            CountPassed(_context.Time.GetTimestamp());
        await _inner.DisposeAsync().ConfigureAwait(false);
        if (Interlocked.Exchange(ref _isClosed, 1) == 0)
        {
            _context.Admission.Http.Leave(_place);
            _listener.Closed();
        }

        await base.DisposeAsync().ConfigureAwait(false);
    }
}
