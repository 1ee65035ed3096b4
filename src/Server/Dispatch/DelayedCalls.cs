using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Sessions;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Dispatch;

/// <summary>Requests that are answered later, bounded for each session, with a deadline on the wheel. Thread-safe.
/// </summary>
internal sealed partial class DelayedCalls(
    ServerLimits limits, ServiceAdmission admission, TimingWheel wheel, ILogger<DelayedCalls> logger)
{
    /// <summary>Errors: Bad_ServerTooBusy where the session has as many as it may, Bad_SessionClosed.</summary>
    public StatusCode TryBegin(ref ServiceCall call, out PendingRequest pending)
    {
        var session = call.Session;
        pending = new PendingRequest(
            session, call.Identity, call.Channel.Connection, call.RequestId, call.Head.Handle, call.Counted,
            call.Responder);
        if (!session.Pending.TryAdd(pending, limits.MaxPendingRequestsPerSession))
        {
            pending.Dispose();
            return session.IsClosed
                ? StatusCodes.BadSessionClosed
                : call.Refuse(admission.Refuse(
                    AdmissionStage.Request, RefusalReason.PendingRequests, call.Channel.Connection));
        }

        var hint = TimeSpan.FromMilliseconds(call.Head.TimeoutHint);
        var isBounded = hint > TimeSpan.Zero && hint < limits.MaxRequestTimeout;
        wheel.Schedule(pending, isBounded ? hint : limits.MaxRequestTimeout);
        return StatusCode.Good;
    }

    /// <summary>Answers with what the work gives, or with the fault that its end means. Called on the connection's
    /// thread: the answer of work that is done by then leaves with the rest of the burst.</summary>
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
#pragma warning disable CA1031 // a source's fault ends this request and nothing else; nothing of it leaks (R17)
        catch (Exception exception)
#pragma warning restore CA1031
        {
            LogWorkFailed(exception);
            pending.Abandon(StatusCodes.BadInternalError);
        }
        finally
        {
            wheel.Cancel(pending);
            pending.Session.Pending.Remove(pending);
            pending.Dispose();
        }
    }
}
