using Gateway.Operations.Access;
using Gateway.PubSub.Outputs;
using Gateway.Server;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Groups;

/// <summary>The parts that all groups of a connection use.</summary>
internal sealed record WriterGroupParts(
    GatewayServer Server, Caller Caller, IMessageOutput Output, PubSubLimits Limits, TimeProvider Time,
    ILogger Logger);
