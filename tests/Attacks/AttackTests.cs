using Gateway.Loadtest;
using Gateway.Loadtest.Attacks;

namespace Gateway.Attacks;

/// <summary>Each attack of loadtest, at the size that a CI run can bear, against the program as users start it with the
/// good client beside it. The full size is a command: <c>loadtest attack NAME</c>.</summary>
public sealed class AttackTests
{
    public static TheoryData<string> Names => [.. AttackList.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Attack_SmallSize_GatewaySurvives(string name)
    {
        var folder = Directory.CreateTempSubdirectory("attack");
        try
        {
            using var output = new StringWriter();
            var parsed = CommandLine.Build(output).Parse(
                ["attack", name, "--size", "small", "--gateway", Gateway(), "--out", folder.FullName]);

            var code = await parsed.InvokeAsync();

            Assert.True(code == 0, output.ToString());
            Assert.Single(folder.GetFiles("*.json"));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    /// <summary>tests/Attacks/bin/X/net10.0 → src/Gateway/bin/X/net10.0.</summary>
    private static string Gateway()
    {
        var own = new DirectoryInfo(AppContext.BaseDirectory);
        var root = own.Parent!.Parent!.Parent!.Parent!.Parent!.FullName;
        return Path.Combine(root, "src", "Gateway", "bin", own.Parent.Name, own.Name, "Gateway.Gateway.dll");
    }
}
