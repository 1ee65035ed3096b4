using Gateway.Loadtest;
using Gateway.Loadtest.Attacks;

namespace Gateway.Attacks;

/// <summary>Each attack of loadtest, at the size that a CI run can bear, against the program as users start it with the
/// good client beside it. The full size is a command: <c>loadtest attack NAME</c>. An attack mostly waits, so the
/// classes run beside each other, each with the themes that it names.</summary>
public abstract class AttackTests
{
    /// <summary>The attacks of these folders below <c>loadtest/Attacks</c>.</summary>
    protected static TheoryData<string> Of(params string[] themes) =>
        [.. AttackList.All.Where(attack => themes.Contains(ThemeOf(attack))).Select(attack => attack.Name)];

    protected static async Task SurvivesAsync(string name)
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

    private protected static string ThemeOf(Attack attack) => attack.GetType().Namespace!.Split('.')[^1];

    /// <summary>tests/Attacks/bin/X/net10.0 → src/Gateway/bin/X/net10.0.</summary>
    private static string Gateway()
    {
        var own = new DirectoryInfo(AppContext.BaseDirectory);
        var root = own.Parent!.Parent!.Parent!.Parent!.Parent!.FullName;
        return Path.Combine(root, "src", "Gateway", "bin", own.Parent.Name, own.Name, "Gateway.Gateway.dll");
    }
}
