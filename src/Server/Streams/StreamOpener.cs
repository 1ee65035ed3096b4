using System.Net;
using Gateway.Admission.Clients;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Publish.Streams;
using Gateway.Server.Users;

namespace Gateway.Server.Streams;

/// <summary>Streams for callers that have no session. Their items are checked by the policy that checks those of
/// sessions, and count for the same users and addresses. Thread-safe.</summary>
internal sealed class StreamOpener(PublishEngine publishing, NodeAccess access, ServerLifetime lifetime)
{
    /// <summary>Null with a bad status: Bad_Shutdown, Bad_TooManySubscriptions.</summary>
    public ValueStream? Open(
        in Caller caller, UserIdentity user, IPAddress? address, StreamOptions options, out StatusCode status)
    {
        status = StatusCodes.BadShutdown;
        return lifetime.IsShuttingDown
            ? null
            : publishing.OpenStream(
                new CallerItemAccess(caller, access), OwnerOf(user, address), options, out status);
    }

    public StatusCode ChangeUser(ValueStream stream, in Caller caller, UserIdentity user, IPAddress? address) =>
        stream.ChangeUser(new CallerItemAccess(caller, access), OwnerOf(user, address));

    private static SessionOwner OwnerOf(UserIdentity user, IPAddress? from)
    {
        var address = from is null ? "" : AddressKey.Of(from).ToString();
        return new SessionOwner(
            UserKeys.Of(user, certificate: "", address), user.IsAnonymous, ApplicationUri: "", IsSigned: false)
        {
            Address = address,
        };
    }
}
