using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using static Gateway.Codec.Types.StandardIds.Variables;

namespace Gateway.Server.ServerObject;

/// <summary>The changing values of the Server object, each with its function. Source: Part 5 §6.3, §12.10.</summary>
internal static class LiveValues
{
    public static (uint NodeId, Func<Variant> Value)[] Of(
        ServerOptions options, NodeTable nodes, ServerLifetime lifetime, ServiceLevel level)
    {
        var build = ServerValues.BuildInfoOf(options);
        return
        [
            (Server_NamespaceArray, () => Variant.FromArray(BuiltInType.String, nodes.Namespaces.Uris)),
            (Server_ServiceLevel, () => new Variant(level.Current)),
            (Server_EstimatedReturnTime, () => new Variant(lifetime.EstimatedReturnTime)),
            (Server_LocalTime, () => Variant.FromStructure(lifetime.LocalTime)),
            (Server_ServerStatus, () => Variant.FromStructure(StatusOf(lifetime, build))),
            (Server_ServerStatus_CurrentTime, () => new Variant(lifetime.Now)),
            (Server_ServerStatus_State, () => new Variant((int)lifetime.State)),
            (Server_ServerStatus_SecondsTillShutdown, () => new Variant(lifetime.SecondsTillShutdown)),
            (Server_ServerStatus_ShutdownReason, () => new Variant(lifetime.ShutdownReason)),
        ];
    }

    private static ServerStatusDataType StatusOf(ServerLifetime lifetime, BuildInfo build) => new()
    {
        StartTime = lifetime.StartTime,
        CurrentTime = lifetime.Now,
        State = lifetime.State,
        BuildInfo = build,
        SecondsTillShutdown = lifetime.SecondsTillShutdown,
        ShutdownReason = lifetime.ShutdownReason,
    };
}
