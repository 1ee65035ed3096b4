using System.Collections.Concurrent;
using System.Threading.Channels;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Sockets;

/// <summary>
/// One thread for the connections of a listener that are not admitted yet: accepts them in batches, asks the door,
/// notices a hang-up of one that waits, sends errors to the refused. It never reads a peer's bytes. Owner: the
/// listener. Admission calls back from any thread; system calls on a refused connection run on the loop's thread.
/// </summary>
internal sealed unsafe class DoorLoop : IDisposable
{
    private const int WakerPlace = 0;
    private const int Listener = -1;
    private const int Batch = 64;
    private const int TickMs = 10;

    /// <summary>Let in and not fetched yet: from so many on, the rest stays in the kernel's backlog for a moment.
    /// </summary>
    private const int MaxHandOver = 1024;

    private readonly Lock _lock = new();
    private readonly PlaceTable<DoorConnection> _places = new();
    private readonly ConcurrentQueue<(DoorConnection Connection, Decision Decision)> _decided = new();
    private readonly Epoll _epoll = new();
    private readonly TransportContext _context;
    private readonly DoorIntake _intake;
    private readonly Farewells _farewells;
    private readonly Channel<DoorConnection> _letIn;
    private readonly int _listener;
    private readonly Waker _waker = new();
    private readonly Thread _thread;
    private DoorConnection? _arriving;
    private long _pausedSince;
    private int _isWoken;
    private bool _isPaused;
    private volatile bool _stopping;
    private volatile bool _hasEnded;

    public DoorLoop(int listener, IAcceptor acceptor, Channel<DoorConnection> letIn, TransportContext context)
    {
        (_listener, _letIn, _context) = (listener, letIn, context);
        _farewells = new Farewells(this, context);
        _intake = new DoorIntake(acceptor);
        _waker.AddTo(_epoll, Libc.EpollIn | Libc.EpollEdge, WakerPlace);
        if (listener >= 0)
            _epoll.Add(listener, Libc.EpollIn, Listener, 0);
        _thread = new Thread(Run) { IsBackground = true, Name = "ua-door" };
    }

    /// <summary>Connections refused and not closed yet.</summary>
    public int FarewellCount => _farewells.Count;

    public void Start() => _thread.Start();

    /// <summary>From any thread: hands it over; the descriptor is the listener's then.</summary>
    public void LetIn(DoorConnection connection)
    {
        Settle(connection);
        if (!_letIn.Writer.TryWrite(connection))
            Enqueue(connection, new Decision(RefusalReason.ShuttingDown, StatusCodes.BadShutdown, 0));
    }

    /// <summary>From any thread.</summary>
    public void Refuse(DoorConnection connection, Decision decision)
    {
        Settle(connection);
        if (Thread.CurrentThread != _thread)
            Enqueue(connection, decision);
        else if (ReferenceEquals(connection, _arriving))
            _farewells.Hold(connection, decision);
        else
            _farewells.Tell(connection, decision);
    }

    /// <summary>On the loop's thread: its bytes, or its end, come as an event. False: nothing will.</summary>
    public bool TryLinger(DoorConnection connection)
    {
        connection.IsLingering = true;
        lock (_lock)
            return TryPlaceUnderLock(connection, Libc.EpollIn);
    }

    public void Close(DoorConnection connection)
    {
        lock (_lock)
            _places.Remove(connection);
        if (connection.Descriptor < 0)
            return;
        _ = Libc.Close(connection.Descriptor);
        connection.Descriptor = -1;
        _context.Descriptors.Closed();
    }

    /// <summary>Waiting connections get an error: the server shuts down.</summary>
    public void Dispose()
    {
        if (_stopping)
            return;
        _stopping = true;
        Wake();
        if (Thread.CurrentThread == _thread || !_thread.Join(TimeSpan.FromSeconds(1)))
            return;
        _intake.Dispose();
        _waker.Dispose();
        _epoll.Dispose();
    }

    /// <summary>Its end comes as an event, also one that has happened; its bytes do not. False: nothing will.
    /// </summary>
    private bool TryWatch(DoorConnection connection)
    {
        lock (_lock)
            return connection.IsSettled || TryPlaceUnderLock(connection, 0);
    }

    private bool TryPlaceUnderLock(DoorConnection connection, uint events)
    {
        _places.Add(connection);
        if (_epoll.TryAdd(
            connection.Descriptor, events | Libc.EpollPeerClosed | Libc.EpollEdge, connection.Place,
            connection.Generation))
            return true;
        _places.Remove(connection);
        return false;
    }

    /// <summary>No event reaches it from here on.</summary>
    private void Settle(DoorConnection connection)
    {
        lock (_lock)
        {
            connection.IsSettled = true;
            if (_places.Remove(connection))
                _epoll.Remove(connection.Descriptor);
        }
    }

    private void Enqueue(DoorConnection connection, Decision decision)
    {
        _decided.Enqueue((connection, decision));
        if (_hasEnded)
            CloseDecided();
        else if (Thread.CurrentThread != _thread)
            Wake();
    }

    private void Wake()
    {
        if (Interlocked.Exchange(ref _isWoken, 1) == 0)
            _waker.Wake();
    }

    private void Run()
    {
        var entries = stackalloc byte[Epoll.MaxEvents * Epoll.EntrySize];
        while (!_stopping)
        {
            try
            {
                var count = _epoll.Wait(entries, IsBusy() ? TickMs : -1);
                Interlocked.Exchange(ref _isWoken, 0);
                for (var i = 0; i < count; i++)
                    OnEvent(entries + (i * Epoll.EntrySize));
                TellDecided();
                _context.Admission.Door.Pump();
                _farewells.Sweep();
                Resume();
            }
#pragma warning disable CA1031 // An error of ours, or no memory, must not end the only thread that accepts.
            catch (Exception error)
#pragma warning restore CA1031
            {
                _context.Counters.FaultContained(error);
                Pause();
            }
        }

        End();
    }

    private bool IsBusy() => _isPaused || _farewells.Count > 0 || _context.Admission.Door.Waiting > 0;

    private void OnEvent(byte* entry)
    {
        var place = Epoll.PlaceOf(entry);
        if (place == Listener)
            AcceptSome();
        else if (place != WakerPlace && _places.Find(place, Epoll.GenerationOf(entry)) is { } connection)
            OnPeer(connection);
    }

    /// <summary>One that waits has hung up; one that got its error has sent its HEL, or hung up.</summary>
    private void OnPeer(DoorConnection connection)
    {
        if (connection.IsLingering)
            _farewells.End(connection);
        else if (_context.Admission.Door.Leave(connection))
            Close(connection);
    }

    private void AcceptSome()
    {
        for (var i = 0; i < Batch; i++)
        {
            if (_letIn.Reader.Count >= MaxHandOver)
            {
                Pause();
                return;
            }

            switch (_intake.Next(out var accepted))
            {
                case IntakeResult.Nothing:
                    return;
                case IntakeResult.Accepted:
                    Arrive(accepted);
                    break;
                case IntakeResult.LastDescriptor:
                    Shed(accepted, RefusalReason.NoDescriptor);
                    break;
                case IntakeResult.Exhausted:
                    Pause();
                    return;
            }
        }

        // The process is at its descriptors' end: as many a tick get an error, and no more.
        if (_context.Descriptors.IsSpent)
            Pause();
    }

    private void Arrive(in Accepted accepted)
    {
        if (_context.Descriptors.IsSpent)
        {
            Shed(accepted, RefusalReason.NoDescriptor);
            return;
        }

        var connection = Make(accepted);
        _arriving = connection;
        if (_context.Registry.IsFull)
            connection.Refuse(Count(connection, RefusalReason.MaxConnections));
        else
            _context.Admission.Door.Arrive(connection);
        _arriving = null;
        if (!TryWatch(connection) && _context.Admission.Door.Leave(connection))
            connection.Refuse(Count(connection, RefusalReason.NoDescriptor));
    }

    /// <summary>At once: there is nothing to hold it with.</summary>
    private void Shed(in Accepted accepted, RefusalReason reason)
    {
        var connection = Make(accepted);
        connection.IsSettled = true;
        _farewells.TellAndClose(connection, Count(connection, reason));
        _intake.Refill();
    }

    private DoorConnection Make(in Accepted accepted)
    {
        _context.Descriptors.Opened();
        return new DoorConnection(this, accepted.Descriptor, accepted.Address, accepted.Port);
    }

    private Decision Count(DoorConnection connection, RefusalReason reason) => _context.Admission.Refuse(
        AdmissionStage.Connection, reason, connection.Address);

    /// <summary>Accepts nothing until the next tick.</summary>
    private void Pause()
    {
        if (_isPaused)
            return;
        _isPaused = true;
        _pausedSince = _context.Time.GetTimestamp();
        if (_listener >= 0)
            _epoll.Change(_listener, 0, Listener, 0);
    }

    private void Resume()
    {
        _intake.Refill();
        if (!_isPaused || _context.Time.GetElapsedTime(_pausedSince).TotalMilliseconds < TickMs)
            return;
        _isPaused = false;
        if (_listener >= 0)
            _epoll.Change(_listener, Libc.EpollIn, Listener, 0);
    }

    private void TellDecided()
    {
        while (_decided.TryDequeue(out var decided))
        {
            decided.Connection.Pass?.Dispose();
            _farewells.Tell(decided.Connection, decided.Decision);
        }
    }

    private void CloseDecided()
    {
        while (_decided.TryDequeue(out var decided))
        {
            decided.Connection.Pass?.Dispose();
            _farewells.TellAndClose(decided.Connection, decided.Decision);
        }
    }

    /// <summary>On the loop's thread, the last thing.</summary>
    private void End()
    {
        DoorConnection[] waiting;
        lock (_lock)
            waiting = _places.Snapshot();
        foreach (var connection in waiting)
        {
            if (!connection.IsLingering && _context.Admission.Door.Leave(connection))
                connection.Refuse(Count(connection, RefusalReason.ShuttingDown));
        }

        _hasEnded = true;
        CloseDecided();
        _farewells.EndAll();
    }
}
