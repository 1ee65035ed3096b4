using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Server.Sessions;
using Gateway.Server.Work;
using Gateway.Transport.Hosting;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Dispatch;

/// <summary>Requests that are answered later, bounded for each session, with a deadline on the wheel. Thread-safe.
/// </summary>
internal sealed partial class DelayedCalls(
    ServerLimits limits, ServiceAdmission admission, MemoryBudget memory, WheelTimer wheel,
    ILogger<DelayedCalls> logger)
{
    /// <summary>Errors: Bad_ServerTooBusy if the session has as many waiting requests as it may, Bad_SessionClosed.
    /// </summary>
    public StatusCode TryBegin(ref ServiceCall call, out PendingRequest pending)
    {
        pending = new PendingRequest(call.Session, call.Identity, call.ReplyTo, call.Counted)
        {
            HeldBytes = call.Meter?.UsedBytes ?? 0,
        };
        if (TryAdd(pending, call.Head.TimeoutHint))
            return StatusCode.Good;
        return call.Session.IsClosed
            ? StatusCodes.BadSessionClosed
            : call.Refuse(RefuseOn(call.Channel));
    }

    /// <summary>For a request whose work continues in turns. Errors: as above; they end the work.</summary>
    public PendingRequest Begin(RequestTurn turn)
    {
        var session = turn.Session!;
        var pending = new PendingRequest(session, turn.Identity, turn.ReplyTo, turn.Service!.Counted)
        {
            HeldBytes = turn.Meter?.UsedBytes ?? 0,
        };
        if (TryAdd(pending, turn.Head.TimeoutHint))
            return pending;
        if (session.IsClosed)
            turn.Refuse(StatusCodes.BadSessionClosed);
        var refused = RefuseOn(turn.Channel);
        turn.Refuse(refused.Status, refused.RetryAfterMs);
        return pending;
    }

    /// <summary>Answers with the result of the work, or with the fault that matches its end. Called on the connection's
    /// thread: the response of completed work leaves with the rest of the burst.</summary>
    public async Task RunAsync<T>(PendingRequest pending, ValueTask<T> work)
        where T : class, IServiceResponse
    {
        var isDone = work.IsCompleted;
        try
        {
            pending.Answer(await work.ConfigureAwait(false), isFlushed: !isDone);
        }
        catch (OperationCanceledException)
        {
            pending.Abandon(StatusCodes.BadTimeout);
        }
#pragma warning disable CA1031 // a source's fault ends this request only; none of its details reach the client (R17)
        catch (Exception exception)
#pragma warning restore CA1031
        {
            if (exception is not InsufficientMemoryException)
            {
                LogSourceFailed(FailureText.Of(exception));
                LogTrace(exception);
            }

            pending.Abandon(Contained.StatusOf(exception));
        }
        finally
        {
            wheel.Cancel(pending);
            pending.Session.Pending.Remove(pending, memory);
            pending.Dispose();
        }
    }

    /// <summary>Counts the answers of sources in the memory budget until the response is sent (R04, R42): many clients
    /// at once may ask for large ones.</summary>
    public Func<long, bool> HoldFor(PendingRequest pending) =>
        bytes => pending.Session.Pending.TryHold(pending, bytes, memory);

    private bool TryAdd(PendingRequest pending, uint timeoutHint)
    {
        if (!pending.Session.Pending.TryAdd(pending, limits.MaxPendingRequestsPerSession, memory))
        {
            pending.Dispose();
            return false;
        }

        var patience = ClientPatience.Of(timeoutHint);
        wheel.Schedule(pending, patience < limits.MaxRequestTimeout ? patience : limits.MaxRequestTimeout);
        return true;
    }

    private Decision RefuseOn(ChannelState channel) =>
        admission.Refuse(AdmissionStage.Request, RefusalReason.PendingRequests, channel.Connection);
}
