namespace Gateway.Interop.Gateways;

/// <summary>The gateway as in a first look: <c>--demo</c>.</summary>
public sealed class DemoGatewayFixture() : GatewayFixture("--demo");
