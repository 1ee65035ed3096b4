using System.Threading.Tasks.Sources;
using Gateway.Admission;
using Gateway.Admission.Clients;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>
/// A server's OPN on the private-key lane, and what the connection's loop awaits meanwhile; it goes on where the work
/// ended, on the lane's worker. Taken out of the lane as soon as the peer hangs up or the connection is ended. One
/// object, because thousands may wait: with its chunk it is all that a waiting OPN holds.
/// </summary>
internal sealed class OpenWork(ServerRole role, OpenRequest request, bool isRenewal)
    : PrivateKeyWork, IValueTaskSource, IHangUpWatcher
{
    private readonly AdmissionStage _stage = isRenewal ? AdmissionStage.Renew : AdmissionStage.Open;
    private ManualResetValueTaskSourceCore<bool> _done;

    private AdmissionControl Admission => role.Context.Admission;

    private PrivateKeyLane Lane => role.Context.PrivateKeys;

    /// <summary>Completes when it was served or dropped; then the connection may have ended. Errors:
    /// SecureChannelException.</summary>
    public ValueTask StartAsync(ClientPass pass)
    {
        role.SetWorking(this);
        var lane = ClassOf(pass, out var certificate);
        if (Lane.QueueLength > 0)
            Admission.Stages.Queue(_stage);
        if (Lane.TryRun(this, lane, certificate, pass.Address.LaneShare))
            role.Watch(this);
        else
            Drop(RefusalReason.QueueFull);
        return new ValueTask(this, _done.Version);
    }

    public override void Execute()
    {
        var since = role.Context.Time.GetTimestamp();
        try
        {
            // Ended while it waited: there is no peer to answer.
            if (!role.IsEnding)
                Serve();
        }
        catch (SecureChannelException e) when (ServerRole.IsHeld(e))
        {
            // Which check it was must not show in the time of the answer (R13). The one thread that releases answers
            // does not end the connection as well.
            _done.RunContinuationsAsynchronously = true;
            role.Context.Failures.Hold(since, () => _done.SetException(e));
            return;
        }
        catch (Exception e)
        {
            _done.SetException(e);
            return;
        }

        _done.SetResult(true);
    }

    public override void Drop(RefusalReason reason)
    {
        role.RefuseOpen(_stage, reason);
        _done.SetResult(true);
    }

    public void OnHungUp()
    {
        if (!Lane.Remove(this))
            return;
        Admission.Stages.Shed(_stage, RefusalReason.GaveUp);
        role.EndGone();
        _done.SetResult(true);
    }

    /// <summary>The connection is ended: it need not wait for its turn.</summary>
    public void Leave()
    {
        if (Lane.Remove(this))
            _done.SetResult(true);
    }

    void IValueTaskSource.GetResult(short token)
    {
        role.Watch(null);
        role.SetWorking(null);
        _done.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _done.GetStatus(token);

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _done.OnCompleted(continuation, state, token, flags);

    private void Serve()
    {
        Admission.Waited(_stage, EnqueuedAt);
        role.Complete(request);
        Admission.Stages.Admit(_stage);
        if (!isRenewal)
            Admission.Rate.Completed(isBusy: Lane.QueueLength > 0);
    }

    /// <summary>A certificate's share is charged when the work is served, and given back where the claim was false.
    /// </summary>
    private LaneClass ClassOf(ClientPass pass, out FairShare? certificate)
    {
        certificate = pass.Certificate?.LaneShare;
        if (isRenewal)
            return role.IsRenewingEarly ? LaneClass.Stranger : LaneClass.Live;
        var thumbprint = request.ClaimedThumbprint();
        var isKnown = pass.Claim(thumbprint);
        certificate = pass.LaneShare;
        return isKnown ? LaneClass.Known : LaneClass.Stranger;
    }
}
