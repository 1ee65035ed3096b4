namespace Gateway.Rest.Upstreams;

/// <summary>A broker that is not configured yet. Holds a secret: never logged.</summary>
/// <param name="Address">Where to.</param>
/// <param name="User">Empty: none.</param>
/// <param name="Password">Of the user.</param>
/// <param name="MqttVersion">Empty: 5.0.</param>
/// <param name="CaPath">PEM file at the gateway; empty: the authorities of its system.</param>
/// <param name="CertificatePath">The same, of the gateway's own certificate there; empty: none.</param>
/// <param name="KeyPath">Of its key.</param>
public sealed record BrokerTestRequest(
    string Address, string User, string Password, string MqttVersion, string CaPath, string CertificatePath,
    string KeyPath)
{
    public override string ToString() => Address;
}
