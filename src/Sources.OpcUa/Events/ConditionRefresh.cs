using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>The ConditionRefresh of one subscription at an upstream: one at a time, a pause between two, and an end
/// also where the upstream brings none. Conditions that it has not told of are gone only where it has said so, between
/// its own start and end, and nothing of what it said was lost. Thread: the loop of events. Source: Part 9 §4.5,
/// §5.5.7.</summary>
internal sealed class ConditionRefresh(
    UpstreamLink first, uint subscription, ConditionMirror mirror, UpstreamLimits limits, TimeProvider time)
{
    private const uint Method = 3875;

    /// <summary>Between the beginnings of two: an upstream may ask for one with each event.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(10);

    /// <summary>A loss that each refresh brings again, such as of an event that is too large, makes it longer by
    /// powers of two up to this one.</summary>
    private const int LongestPause = 6;

    private Task? _call;
    private bool _hasBegun;
    private bool _hasLost;
    private int _lossesInARow;
    private StatusCode _answer;
    private bool _isCutOff;
    private long? _since;
    private bool _isWanted = true;

    /// <summary>Codes by which a server says that it has none.</summary>
    public static bool IsUnsupported(StatusCode status) => status.CodeBits is StatusCodes.BadMethodInvalid
        or StatusCodes.BadNodeIdUnknown or StatusCodes.BadNodeIdInvalid or StatusCodes.BadNotSupported
        or StatusCodes.BadNotImplemented or StatusCodes.BadServiceUnsupported or StatusCodes.BadNotExecutable;

    /// <summary>By which it is asked.</summary>
    public UpstreamLink Link { get; set; } = first;

    /// <summary>Under way.</summary>
    public bool IsOpen { get; private set; }

    /// <summary>Why the last one failed; Good: it did not.</summary>
    public StatusCode Failure { get; private set; }

    /// <summary>The upstream has none, or never ends it: how the conditions of before are shows only with their next
    /// events.</summary>
    public bool IsInVain => IsUnsupported(Failure) || Failure.CodeBits == StatusCodes.BadTimeout;

    /// <summary>Until something is due; infinite: nothing is.</summary>
    public TimeSpan Due => IsOpen ? Left(limits.MaxUpstreamRefreshTime)
        : _isWanted && _call is null ? Left(PauseNow)
        : Timeout.InfiniteTimeSpan;

    /// <summary>Conditions may be others than those that are known.</summary>
    public void Want() => _isWanted = !IsUnsupported(Failure);

    /// <summary>Events were lost: what one under way does not tell of may still be.</summary>
    public void Lose()
    {
        _hasLost |= IsOpen;
        Want();
    }

    /// <summary>RefreshStart has come.</summary>
    public void Begin() => _hasBegun |= IsOpen;

    /// <summary>RefreshEnd has come. Others of the upstream's clients may refresh, too, and some servers tell all of
    /// them; and one that was given up may end late. An end without a start of its own is nobody's.</summary>
    /// <returns>How many conditions were gone; null: nobody can say.</returns>
    public int? End()
    {
        if (!IsOpen || !_hasBegun)
            return null;
        IsOpen = false;
        Failure = StatusCode.Good;
        _lossesInARow = _hasLost ? Math.Min(_lossesInARow + 1, LongestPause) : 0;
        return _hasLost ? null : mirror.EndRefresh();
    }

    /// <summary>Begins one where it is wanted, and gives one up that has failed or does not end.</summary>
    /// <param name="wake">Called when the answer is there.</param>
    /// <param name="cancellation">Ends the request.</param>
    /// <returns>True: one was given up.</returns>
    public bool Look(Action wake, CancellationToken cancellation)
    {
        if (_call is { IsCompleted: true } call)
        {
            _call = null;
            // One that the end of the connection cut off stays open, so that the next connection begins another.
            if (IsOpen && !_isCutOff && !call.IsCanceled && (call.IsFaulted || _answer.IsBad))
                return GiveUp(call.IsFaulted ? StatusCodes.BadUnexpectedError : _answer);
        }

        if (IsOpen && Left(limits.MaxUpstreamRefreshTime) <= TimeSpan.Zero)
            return GiveUp(StatusCodes.BadTimeout);
        if (!_isWanted || IsOpen || _call is not null || Left(PauseNow) > TimeSpan.Zero)
            return false;
        (_isWanted, IsOpen, _since) = (false, true, time.GetTimestamp());
        (_hasBegun, _hasLost, _isCutOff) = (false, false, false);
        mirror.BeginRefresh();
        _call = AskAsync(cancellation);
        _call.GetAwaiter().OnCompleted(wake);
        return false;
    }

    private bool GiveUp(StatusCode status)
    {
        (IsOpen, Failure) = (false, status);
        _isWanted |= status.CodeBits == StatusCodes.BadRefreshInProgress;
        return true;
    }

    private TimeSpan PauseNow => Pause * (1 << _lossesInARow);

    private TimeSpan Left(TimeSpan of)
    {
        var left = _since is { } since ? of - time.GetElapsedTime(since) : TimeSpan.Zero;
        return left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }

    private async Task AskAsync(CancellationToken cancellation)
    {
        var request = new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest
                {
                    ObjectId = new NodeId(StandardIds.ObjectTypes.ConditionType),
                    MethodId = new NodeId(Method),
                    InputArguments = [new Variant(subscription)],
                },
            ],
        };
        try
        {
            var response = await Link.Session.InvokeAsync<CallRequest, CallResponse>(request, cancellation)
                .ConfigureAwait(false);
            _answer = UpstreamRequests.Matching(response.Results, 1)[0].StatusCode;
        }
        catch (ServiceException refused)
        {
            (_answer, _isCutOff) = (refused.Status, refused.IsConnectionLost);
        }
    }
}
