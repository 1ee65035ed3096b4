using Gateway.Interop.Gateways;

namespace Gateway.Interop;

/// <summary>A demo gateway with a hundred fast counters and nothing else that changes.</summary>
public sealed class CountersFixture() : GatewayFixture(
    "--demo", "--Simulator:Tags=100", "--Simulator:ChangesPerSecond=1000");
