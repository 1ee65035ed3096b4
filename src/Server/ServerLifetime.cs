using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server;

/// <summary>The state for ServerStatus: running, shutdown announced, or not serving yet. Thread-safe.</summary>
internal sealed class ServerLifetime(TimeProvider clock)
{
    private readonly Lock _lock = new();
    private long _announced;
    private TimeSpan _delay;
    private DateTime _return;
    private volatile bool _isShuttingDown;

    public DateTime Now => clock.GetUtcNow().UtcDateTime;

    /// <summary>The machine's offset from UTC now, in minutes. Source: Part 5 §6.3.1, Part 3 §8.28.</summary>
    public TimeZoneDataType LocalTime
    {
        get
        {
            var (zone, now) = (clock.LocalTimeZone, clock.GetUtcNow());
            return new TimeZoneDataType
            {
                Offset = (short)zone.GetUtcOffset(now).TotalMinutes,
                DaylightSavingInOffset = zone.IsDaylightSavingTime(now),
            };
        }
    }

    public DateTime StartTime { get; } = clock.GetUtcNow().UtcDateTime;

    public bool IsShuttingDown => _isShuttingDown;

    public ServerState State => _isShuttingDown ? ServerState.Shutdown : ServerState.Running;

    public LocalizedText ShutdownReason =>
        _isShuttingDown ? new LocalizedText("The gateway is stopping.", "en") : default;

    /// <summary>Rounded up; 0 while running and once the time is over.</summary>
    public uint SecondsTillShutdown
    {
        get
        {
            lock (_lock)
            {
                if (!_isShuttingDown)
                    return 0;
                var left = _delay - clock.GetElapsedTime(_announced);
                return left > TimeSpan.Zero ? (uint)Math.Ceiling(left.TotalSeconds) : 0;
            }
        }
    }

    /// <summary>The wall clock when a server is expected here again; null (the year 1601) while running. Source:
    /// Part 5 §6.3.1, Part 4 §6.6.2.4.2.</summary>
    public DateTime EstimatedReturnTime
    {
        get
        {
            lock (_lock)
                return _isShuttingDown ? _return : default;
        }
    }

    /// <summary>Until then; 0 while running and once it is over.</summary>
    public int ReturnAfterMs
    {
        get
        {
            var left = EstimatedReturnTime - Now;
            return left > TimeSpan.Zero ? (int)Math.Min(left.TotalMilliseconds, int.MaxValue) : 0;
        }
    }

    /// <param name="delay">Until sessions end.</param>
    /// <param name="absence">From then until a server is back.</param>
    public void BeginShutdown(TimeSpan delay, TimeSpan absence)
    {
        lock (_lock)
        {
            if (_isShuttingDown)
                return;
            _announced = clock.GetTimestamp();
            _delay = delay;
            _return = Now + delay + absence;
            _isShuttingDown = true;
        }
    }
}
