using Gateway.Loadtest.Scenarios.Storm;

namespace Gateway.Loadtest.Tests.Scenarios.Storm;

public sealed class SilentSocketsTests
{
    [Fact]
    public void Hello_Url_WholeMessage()
    {
        var message = SilentSockets.Hello("opc.tcp://h:1");

        Assert.Equal("HELF"u8.ToArray(), message[..4]);
        Assert.Equal(message.Length, BitConverter.ToInt32(message, 4));
        Assert.Equal("opc.tcp://h:1".Length, BitConverter.ToInt32(message, 28));
        Assert.Equal("opc.tcp://h:1"u8.ToArray(), message[32..]);
    }
}
