using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Publish.Streams;
using Gateway.Server.Audit;

namespace Gateway.Server.Streams;

/// <summary>Streams for callers that have no session. Their items are checked by the policy that checks those of
/// sessions, and count for the same users and addresses. Thread-safe.</summary>
internal sealed class StreamOpener(
    PublishEngine publishing, NodeAccess access, OperationAudit audit, ServerLifetime lifetime)
{
    /// <summary>Null with a bad status: Bad_Shutdown, Bad_TooManySubscriptions.</summary>
    public ValueStream? Open(Caller caller, StreamOptions options, out StatusCode status)
    {
        status = StatusCodes.BadShutdown;
        return lifetime.IsShuttingDown
            ? null
            : publishing.OpenStream(new CallerItemAccess(caller, access, audit), OwnerOf(caller), options, out status);
    }

    public StatusCode ChangeUser(ValueStream stream, Caller caller) =>
        stream.ChangeUser(new CallerItemAccess(caller, access, audit), OwnerOf(caller));

    private static SessionOwner OwnerOf(Caller caller) =>
        new(caller.Account, caller.Identity is not { IsAnonymous: false }, ApplicationUri: "", IsSigned: false)
        {
            Address = caller.Address,
            Certificate = caller.Certificate,
        };
}
