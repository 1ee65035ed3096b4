using Gateway.Codec.Structures;
using Gateway.Operations.Access;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.Groups;

/// <summary>The user by whose rights a group publishes: any Observer, as well protected as the group's messages are on
/// their way. So a node that demands encryption does not leave in clear (R36).</summary>
internal static class PublisherCaller
{
    /// <summary>For the fields of a data set, whatever way they take.</summary>
    public static Caller OfDataSets { get; } = With(MessageSecurityMode.SignAndEncrypt);

    public static Caller Of(ConnectionOptions connection, WriterGroupOptions group) => With(
        connection.Url?.Scheme == "mqtts" ? MessageSecurityMode.SignAndEncrypt : group.Security);

    private static Caller With(MessageSecurityMode mode) => new(
        new UserIdentity("pubsub", "PubSub", Roles.Observer, UserKind.UserName), CallerDoor.Inside, mode,
        isTrustedApplication: false, hasSession: false);
}
