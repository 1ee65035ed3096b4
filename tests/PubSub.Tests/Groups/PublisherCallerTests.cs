using Gateway.PubSub.Groups;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.Tests.Groups;

/// <summary>A node that demands encryption must not leave in clear (R36).</summary>
public sealed class PublisherCallerTests
{
    [Theory]
    [InlineData("mqtt://broker", "json", "None", false, false)]
    [InlineData("mqtts://broker", "json", "None", true, true)]
    [InlineData("mqtts://broker", "uadp", "Sign", true, true)]
    [InlineData("opc.udp://224.0.2.14", "uadp", "None", false, false)]
    [InlineData("opc.udp://224.0.2.14", "uadp", "Sign", true, false)]
    [InlineData("mqtt://broker", "uadp", "SignAndEncrypt", true, true)]
    public void Of_Group_IsAsWellProtectedAsItsMessages(
        string address, string encoding, string mode, bool isSigned, bool isEncrypted)
    {
        var caller = PublisherCaller.Of(
            new ConnectionOptions { Address = address },
            new WriterGroupOptions { Encoding = encoding, SecurityMode = mode });

        Assert.Equal((isSigned, isEncrypted), (caller.IsSigned, caller.IsEncrypted));
    }
}
