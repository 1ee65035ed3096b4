namespace Gateway.Mqtt.Tests.Brokers;

/// <param name="First">Type and flags.</param>
/// <param name="Body">Behind the header.</param>
internal sealed record ScriptPacket(byte First, byte[] Body)
{
    public override string ToString() => $"{First:X2} {Convert.ToHexString(Body)}";
}
