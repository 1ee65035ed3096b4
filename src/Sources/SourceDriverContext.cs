using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources;

/// <summary>The parts that the gateway gives every driver.</summary>
/// <param name="Nodes">A driver adds its nodes by a <see cref="NodeBatch"/>.</param>
/// <param name="Values">Where a driver that pushes puts its values.</param>
/// <param name="Time">Of all its delays and timestamps.</param>
/// <param name="Loggers">The host's.</param>
public sealed record SourceDriverContext(
    NodeTable Nodes, ValueStore Values, TimeProvider Time, ILoggerFactory Loggers);
