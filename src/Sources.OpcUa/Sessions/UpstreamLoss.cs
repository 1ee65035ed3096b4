using Gateway.Client;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>A lost connection, as long as something may go on with what it left. Owner: the connector's loop.</summary>
internal sealed class UpstreamLoss : IDisposable
{
    /// <summary>So long after a loss the next attempt comes after <see cref="QuickDelay"/>.</summary>
    private static readonly TimeSpan QuickAttempts = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan QuickDelay = TimeSpan.FromMilliseconds(500);

    private const int MostFailures = 3;

    private readonly TimeProvider _time;
    private readonly long _since;
    private readonly ITimer _timer;
    private int _failures;

    /// <param name="served">Left by it.</param>
    /// <param name="bridge">As configured. The bridge ends sooner where the upstream may have forgotten by then what it
    /// needs to go on.</param>
    /// <param name="time">Of the bridge.</param>
    /// <param name="onBridgeOver">Called on a thread of the timer.</param>
    public UpstreamLoss(ServedLink served, TimeSpan bridge, TimeProvider time, Action onBridgeOver)
    {
        TimeSpan[] ends = [bridge, served.Session.SessionTimeout, served.Subscriptions.First?.Lifetime ?? bridge];
        (Served, Bridge, _time, _since) = (served, ends.Min(), time, time.GetTimestamp());
        _timer = time.CreateTimer(static over => ((Action)over!)(), onBridgeOver, Bridge, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The session is that of the last attempt to go on.</summary>
    public ServedLink Served { get; set; }

    /// <summary>So long the values keep their status.</summary>
    public TimeSpan Bridge { get; }

    public TimeSpan Lasted => _time.GetElapsedTime(_since);

    public bool IsBridgeOver => Lasted >= Bridge;

    /// <summary>The time to wait after a failed attempt; null: the usual one. A break is mostly short: an upstream that
    /// cannot be reached is asked again and again at first.</summary>
    public static TimeSpan? DelayOf(UpstreamLoss? loss, Exception failure)
    {
        if (failure is not ServiceException refused)
            return null;
        var isOutOfReach = refused.Status.CodeBits is StatusCodes.BadConnectionRejected
            or StatusCodes.BadConnectionClosed or StatusCodes.BadTimeout;
        return refused.RetryAfter ?? (isOutOfReach && loss?.Lasted < QuickAttempts ? QuickDelay : null);
    }

    /// <summary>The session was reached, and nothing could go on, though the server did not say that it has no time.
    /// True: so it may be for ever, and a new one may be better.</summary>
    public bool IsInVain(Exception failure) =>
        failure is not (OperationCanceledException or
            ServiceException { Status.CodeBits: StatusCodes.BadServerTooBusy }) &&
        ++_failures >= MostFailures;

    /// <summary>Nobody goes on with the session: it is not to stay at the upstream.</summary>
    public ValueTask LeaveAsync(IUpstreamConnection connection) => SessionFarewell.SayAsync(
        patience => Served.Session.Closed.IsCompleted
            ? connection.LeaveAsync(Served.Session, patience)
            : CloseAsync(patience),
        _time);

    public void Dispose() => _timer.Dispose();

    /// <summary>Behind the patience it goes on, and nobody waits for how it ends.</summary>
    private async ValueTask CloseAsync(CancellationToken patience)
    {
        var closing = Served.Session.DisposeAsync().AsTask();
        _ = EndAsync(closing);
        await closing.WaitAsync(patience).ConfigureAwait(false);
    }

    private static async Task EndAsync(Task closing) =>
        await closing.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
