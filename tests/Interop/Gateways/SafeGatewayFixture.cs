namespace Gateway.Interop.Gateways;

/// <summary>The gateway on its defaults: no None, unknown certificates rejected.</summary>
public sealed class SafeGatewayFixture() : GatewayFixture();
