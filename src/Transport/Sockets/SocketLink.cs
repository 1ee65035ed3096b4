using System.IO.Pipelines;
using System.Net;
using Gateway.Admission.Clients;
using Gateway.Transport.Conversation;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using TransportCounters = Gateway.Transport.Hosting.TransportCounters;

namespace Gateway.Transport.Sockets;

/// <summary>
/// One accepted connection, as Kestrel and the conversation see it. Owner: Kestrel, which disposes it when its handler
/// has returned; until then the descriptor stays open. Threads: <see cref="Abort(ConnectionAbortedException)"/> from
/// any, events on the loop's.
/// </summary>
internal sealed class SocketLink : ConnectionContext, IDuplexPipe, IConnectionDoor, IPlaced
{
    private static long s_lastId;

    private readonly DescriptorBudget _descriptors;
    private readonly TransportCounters _counters;
    private readonly EventLoop _loop;
    private readonly SocketReader _reader;
    private readonly SocketWriter _writer;
    private readonly DoorConnection _origin;
    private EndPoint? _remote;
    private EndPoint? _local;
    private CancellationTokenSource? _closed;
    private string? _id;
    private IDictionary<object, object?>? _items;
    private IHangUpWatcher? _watcher;
    private volatile bool _hungUp;
    private bool _isDisposed;

    public SocketLink(
        DoorConnection origin, EventLoop loop, DescriptorBudget descriptors, TransportCounters counters)
    {
        (_origin, _loop, _descriptors, _counters) = (origin, loop, descriptors, counters);
        _reader = new SocketReader(this);
        _writer = new SocketWriter(this, SocketBuffers.Rent);
        Features = new FeatureCollection();
        Features.Set<IConnectionDoor>(this);
        Transport = this;
    }

    /// <summary>Where the loop finds it; 0 when it does not. Under the loop's lock.</summary>
    public int Place { get; set; }

    public uint Generation { get; set; }

    public int Descriptor => _origin.Descriptor;

    /// <summary>Ends with the connection.</summary>
    public ClientPass Pass => _origin.Pass!;

    /// <summary>Monotonic timestamp of its coming, where it had to wait at the door; 0: it had not.</summary>
    public long WaitedSince => _origin.EnqueuedAt;

    public override EndPoint? RemoteEndPoint
    {
        get => _remote ??= new IPEndPoint(_origin.Address, _origin.Port);
        set => _remote = value;
    }

    public override EndPoint? LocalEndPoint
    {
        get => _local ??= _writer.LocalEndPoint();
        set => _local = value;
    }

    public PipeReader Input => _reader;

    public PipeWriter Output => _writer;

    public override IDuplexPipe Transport { get; set; }

    public override IFeatureCollection Features { get; }

    public override string ConnectionId
    {
        get => _id ??= "UA" + Interlocked.Increment(ref s_lastId).ToString(
            "X8", System.Globalization.CultureInfo.InvariantCulture);
        set => _id = value;
    }

    public override IDictionary<object, object?> Items
    {
        get => _items ??= new ConnectionItems();
        set => _items = value;
    }

    /// <summary>Made for the few callers that need it.</summary>
    public override CancellationToken ConnectionClosed
    {
        get
        {
            LazyInitializer.EnsureInitialized(ref _closed, static () => new CancellationTokenSource());
            return _closed.Token;
        }
        set => throw new NotSupportedException();
    }

    public override void Abort(ConnectionAbortedException abortReason) => _writer.Break();

    /// <summary>Flushed bytes leave first, unless the connection is aborted.</summary>
    public override async ValueTask DisposeAsync()
    {
        await _writer.DrainAsync().ConfigureAwait(false);
        _loop.Remove(this);
        _writer.CloseDescriptor();
        _reader.Release();
        Pass.Dispose();
        if (Volatile.Read(ref _closed) is { } closed)
            await closed.CancelAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>The door's loop admitted it before its link was made.</summary>
    public ValueTask<ClientPass> AdmitAsync() => new(Pass);

    /// <summary>A hang-up is seen also without a read.</summary>
    public void Watch(IHangUpWatcher? watcher)
    {
        Interlocked.Exchange(ref _watcher, watcher);
        if (_hungUp)
            watcher?.OnHungUp();
    }

    /// <summary>On the loop's thread.</summary>
    public void OnEvents(uint events)
    {
        var hungUp = (events & (Libc.EpollError | Libc.EpollHangUp | Libc.EpollPeerClosed)) != 0;
        try
        {
            if ((events & Libc.EpollOut) != 0 || hungUp)
                _writer.OnWritable();
            if ((events & Libc.EpollIn) != 0 || hungUp)
                _reader.OnReadable(hungUp);
            if (hungUp)
                TellHungUp();
        }
#pragma warning disable CA1031 // An error of ours ends this connection; the loop has others to serve.
        catch (Exception error)
#pragma warning restore CA1031
        {
            OnFault(error);
            _writer.Break();
            System.Diagnostics.Debug.Assert(error.GetBaseException() is OutOfMemoryException, error.Message);
        }
    }

    /// <summary>A fault of ours that ends this connection alone.</summary>
    public void OnFault(Exception error) => _counters.FaultContained(error);

    /// <summary>The flag first and the watcher behind a fence, as <see cref="Watch"/> does it the other way round: one
    /// of the two sees the other.</summary>
    private void TellHungUp()
    {
        _hungUp = true;
        Interlocked.MemoryBarrier();
        Volatile.Read(ref _watcher)?.OnHungUp();
    }

    public EndPoint? LocalUnderLock() => _isDisposed ? null : KernelAddress.LocalOf(Descriptor);

    /// <summary>Both ways; the descriptor stays. Where the peer was quicker, nothing happens.</summary>
    public void ShutDownUnderLock()
    {
        if (!_isDisposed)
            _ = Libc.Shutdown(Descriptor, Libc.ShutBoth);
    }

    public void CloseUnderLock()
    {
        if (_isDisposed)
            return;
        ShutDownUnderLock();
        _isDisposed = true;
        _ = Libc.Close(Descriptor);
        _descriptors.Closed();
    }
}
