using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Dispatch;
using Gateway.Transport.Timing;

namespace Gateway.Server.Sessions;

/// <summary>
/// A request that is answered later. It keeps the channel and the user of its arrival (R16). Its result, its deadline
/// or a Cancel answers it, whichever comes first. It counts against its session until its work has really ended (R08).
/// </summary>
internal sealed class PendingRequest(Session session, UserIdentity? identity, ReplyTo replyTo, CountedService counted)
    : TimerEntry, IRequester, IDisposable
{
    private readonly CancellationTokenSource _cancellation = new();
    private int _answered;

    public Session Session { get; } = session;

    public UserIdentity? Identity { get; } = identity;

    public Caller Caller => SessionCallers.Of(Identity, replyTo.Channel, Session);

    public bool IsUserChanged => !ReferenceEquals(Session.Identity, Identity);

    public Caller PresentCaller => Session.Caller;

    public uint Handle => replyTo.Handle;

    /// <summary>Memory of its decoded values and of the answers of its sources, held until its work ends. Changed by
    /// <see cref="PendingRequests"/>, under its lock.</summary>
    public long HeldBytes { get; set; }

    public CancellationToken CancellationToken => _cancellation.Token;

    /// <summary>The client's status if the work ends without a result.</summary>
    public StatusCode StatusOfFailure =>
        CancellationToken.IsCancellationRequested ? StatusCodes.BadTimeout : StatusCodes.BadInternalError;

    public void Answer<T>(T response, bool isFlushed)
        where T : class, IServiceResponse
    {
        if (Interlocked.Exchange(ref _answered, 1) != 0)
            return;
        var result = response.ResponseHeader.ServiceResult;
        if (result.IsBad)
            Session.Counts.CountFailure(counted, result);
        try
        {
            replyTo.Send(response, Session);
        }
        catch (Exception error)
        {
            // It counts as answered, so nobody else would tell the client (R40).
            replyTo.SendFault(Contained.StatusOf(error));
            replyTo.Channel.Flush();
            throw;
        }

        if (isFlushed)
            replyTo.Channel.Flush();
    }

    /// <summary>Answers with a fault and cancels the work; false if it was answered before.</summary>
    public bool Abandon(StatusCode status)
    {
        if (Interlocked.Exchange(ref _answered, 1) != 0)
            return false;
        Session.Counts.CountFailure(counted, status);
        if (replyTo.Channel.IsOpen)
        {
            replyTo.SendFault(status);
            replyTo.Channel.Flush();
        }

        try
        {
            _cancellation.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The work ended between the answer and this line.
        }

        return true;
    }

    public void Dispose() => _cancellation.Dispose();

    public override void OnDue(long now) => Abandon(StatusCodes.BadTimeout);
}
