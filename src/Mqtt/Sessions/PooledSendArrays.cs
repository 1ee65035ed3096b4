using Gateway.Codec.Pooling;

namespace Gateway.Mqtt.Sessions;

/// <summary>From the process' pools.</summary>
internal sealed class PooledSendArrays : ISendArrays
{
    public static PooledSendArrays Instance { get; } = new();

    public byte[] Rent(int atLeastBytes) => ByteArrays.Rent(atLeastBytes);

    public void Return(byte[] array) => ByteArrays.Return(array);
}
