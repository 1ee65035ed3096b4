using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Sources.Connections;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>When a server that failed is tried again: later each time, and not all of them at once. One that refuses
/// waits longest, because a controller may lock the account. Thread: the job that has the server.</summary>
internal sealed class MemberBackoff(TimeProvider time)
{
    private const int MaxDoublings = 8;

    private static readonly TimeSpan First = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongestOutOfReach = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan LongestRefused = TimeSpan.FromMinutes(5);

    private int _failures;
    private bool _isHarmless;
    private long _failedAt;
    private TimeSpan _wait;

    public void Succeeded() => _failures = 0;

    public void Failed(Exception failure)
    {
        var isOutOfReach = IsOutOfReach(failure);
        // Where we refuse the server, it has seen nothing of the account.
        _isHarmless = isOutOfReach || failure is ServiceException { Fault: not ConnectFault.None };
        var longest = isOutOfReach ? LongestOutOfReach : LongestRefused;
        var doubled = First * (1 << Math.Min(_failures, MaxDoublings));
        var wait = (doubled < longest ? doubled : longest) * (0.5 + (0.5 * Random.Shared.NextDouble()));
        var hint = ConnectPipeline.Spread((failure as ServiceException)?.RetryAfter);
        (_wait, _failedAt) = (hint > wait ? hint.Value : wait, time.GetTimestamp());
        _failures++;
    }

    /// <param name="isNeeded">No server is in use: one that did not answer costs nothing but the try.</param>
    public bool IsDue(bool isNeeded) =>
        _failures == 0 || (isNeeded && _isHarmless) || time.GetElapsedTime(_failedAt) >= _wait;

    /// <summary>As above, where it is needed.</summary>
    public TimeSpan UntilDue =>
        IsDue(isNeeded: true) ? TimeSpan.Zero : _wait - time.GetElapsedTime(_failedAt);

    /// <summary>It has said nothing on who asks.</summary>
    public static bool IsOutOfReach(Exception failure) => failure is not ServiceException service ||
        (service.Fault == ConnectFault.None && service.Status.CodeBits is StatusCodes.BadConnectionRejected
            or StatusCodes.BadConnectionClosed or StatusCodes.BadNotConnected or StatusCodes.BadTimeout
            or StatusCodes.BadCommunicationError);
}
