using Gateway.AddressSpace.Values;
using Gateway.Server;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Groups;

/// <summary>The parts that all groups of a connection use.</summary>
/// <param name="Server">Opens streams.</param>
/// <param name="PublisherId">Of all messages.</param>
/// <param name="Values">Makes the fields of events.</param>
/// <param name="Limits">Bounds.</param>
/// <param name="Time">The clock.</param>
/// <param name="Logger">For faults.</param>
internal sealed record WriterGroupParts(
    GatewayServer Server, string PublisherId, ValueStore Values, PubSubLimits Limits, TimeProvider Time,
    ILogger Logger);
