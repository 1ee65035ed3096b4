using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Tests.Machine;

public sealed class CommandTextTests
{
    [Fact]
    public void Of_AbsolutePaths_AreRelative()
    {
        var text = CommandText.Of(
            ["/repo/loadtest/Gateway.Loadtest.dll", "read", "--gateway", "/repo/x/G.dll", "--out=/repo/r"], "/repo");

        Assert.Equal("dotnet loadtest/Gateway.Loadtest.dll read --gateway x/G.dll --out=r", text);
    }

    [Theory]
    [InlineData("--password", "secret")]
    [InlineData("--password=secret", "")]
    public void Of_Password_IsLeftOut(string argument, string value)
    {
        var text = CommandText.Of(["/repo/l.dll", "read", argument, value], "/repo");

        Assert.DoesNotContain("secret", text, StringComparison.Ordinal);
        Assert.Contains("--password", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Of_ShellCharacters_AreQuoted()
    {
        var text = CommandText.Of(["loadtest", "--tag", "ns=2;i={0}", "--url", "opc.tcp://localhost:4840"], "/repo");

        Assert.Equal("loadtest --tag 'ns=2;i={0}' --url opc.tcp://localhost:4840", text);
    }
}
