using Gateway.Host.Configuration;
using Microsoft.Extensions.Configuration;

namespace Gateway.Tests.Configuration;

/// <summary>A key with a typo leaves the plant as open as it was: none passes, and the one that was meant is named.
/// </summary>
public sealed class UnknownKeyTests
{
    [Theory]
    [InlineData("--Anonymus:Enabled=false", "Anonymus:Enabled: is no key", "did you mean Anonymous:Enabled?")]
    [InlineData("--User:0:Name=anna", "User:0:Name: is no key", "did you mean Users:0:Name?")]
    [InlineData("--Users:0:Pasword=x", "Users:0:Pasword: is no key", "did you mean Users:0:Password?")]
    [InlineData("--AutoTrust=true", "AutoTrust: is no key", "did you mean Pki:AutoTrust?")]
    [InlineData("--Port=4841", "Port: is no key", "did you mean OpcUa:Port or Http:Port or ReverseConnect:Port?")]
    [InlineData("--OpcUa:Prot=4841", "OpcUa:Prot: is no key", "did you mean OpcUa:Port?")]
    [InlineData("--OpcUa:SecurityPolicy=None", "OpcUa:SecurityPolicy: is no key", "OpcUa:SecurityPolicies?")]
    [InlineData("--Limits:MaxSesions=1", "Limits:MaxSesions: is no key", "did you mean Limits:MaxSessions?")]
    [InlineData("--Upstreams:0:Sekurity=x", "Upstreams:0:Sekurity: is no key", "the command line")]
    [InlineData("--demoo", "demoo: is no key", "did you mean --demo?")]
    [InlineData("--hlep", "hlep: is no key", "did you mean --help?")]
    [InlineData("--foo bar", "foo: is no key", "the command line")]
    [InlineData("--foo", "foo: is no key", "the command line")]
    [InlineData("--OpcUa:Port", "OpcUa:Port: has no value", "write --OpcUa:Port=<value>")]
    [InlineData("--OpcUa:Port --Http:Port=8081", "OpcUa:Port: has no value", "write --OpcUa:Port=<value>")]
    [InlineData("--OpcUa", "OpcUa: is a section", "takes no value")]
    [InlineData("--Users=anna", "Users: is a section", "takes no value")]
    [InlineData("demo", "Argument 1 belongs to no key", "write --Key=Value")]
    [InlineData("-demo", "Argument 1 belongs to no key", "write --Key=Value")]
    [InlineData("/OpcUa:Port=1", "Argument 1 belongs to no key", "write --Key=Value")]
    [InlineData("OpcUa:Port=1", "Argument 1 belongs to no key", "write --Key=Value")]
    [InlineData("--=1", "Argument 1 belongs to no key", "write --Key=Value")]
    public void CommandLine_AKeyThatIsNone_IsTheOneError(string line, string start, string part)
    {
        using var folder = new ConfigurationFolder();

        var error = Assert.Single(folder.Errors(line.Split(' ')), one => !IsOfTheElement(one));

        Assert.StartsWith(start, error, StringComparison.Ordinal);
        Assert.Contains(part, error, StringComparison.Ordinal);

        // What else is missing of the user or upstream that the misspelt key begins.
        static bool IsOfTheElement(string one) => one.StartsWith("Users:0:Name:", StringComparison.Ordinal) ||
            one.Contains("has none of PasswordHash", StringComparison.Ordinal) ||
            one.StartsWith("Upstreams:0:Name:", StringComparison.Ordinal) ||
            one.StartsWith("Upstreams:0:EndpointUrl:", StringComparison.Ordinal);
    }

    [Fact]
    public void CommandLine_ValueAfterASpace_IsTaken()
    {
        using var folder = new ConfigurationFolder();

        Assert.Equal(4841, folder.Read("--OpcUa:Port", "4841", "--demo").OpcUaEndPoint.Port);
    }

    /// <summary>A value may be a secret.</summary>
    [Fact]
    public void CommandLine_WordsBesideAKey_AreNotRepeated()
    {
        using var folder = new ConfigurationFolder();

        var errors = folder.Errors("--Users:0:Name=a", "--Users:0:Password=correct", "horse", "--Pasword=battery");

        Assert.Equal(2, errors.Count);
        Assert.All(errors, error => Assert.DoesNotContain("horse", error, StringComparison.Ordinal));
        Assert.All(errors, error => Assert.DoesNotContain("battery", error, StringComparison.Ordinal));
    }

    [Fact]
    public void File_UnknownSections_EachIsAnErrorWithItsFile()
    {
        using var folder = new ConfigurationFolder(
            """{ "Anonymus": { "Enabled": false }, "Logging": { "LogLevel": { "Default": "Debug" } }, "OpcUa": 1 }""");

        var errors = folder.Errors();

        Assert.Equal(
            [
                $"Anonymus:Enabled: is no key of the gateway ({folder.FilePath}); did you mean Anonymous:Enabled?",
                $"Logging:LogLevel:Default: is no key of the gateway ({folder.FilePath})",
                $"OpcUa: is a section and takes no value itself ({folder.FilePath})",
            ],
            errors);
    }

    /// <summary>It holds what it likes: PATH, other programs' settings, a variable USERS.</summary>
    [Fact]
    public void Environment_ForeignKeys_AreLeftAlone()
    {
        var configuration = Environment("GATEWAYTEST_", new()
        {
            ["Foreign__Key"] = "x",
            ["USERS"] = "3",
            ["OPCUA"] = "y",
            ["OpcUa__Port"] = "4847",
        });

        var settings = SettingsOf.TryRead(configuration, out var errors);

        Assert.Empty(errors);
        Assert.Equal(4847, settings!.OpcUaEndPoint.Port);
    }

    [Fact]
    public void Environment_MisspeltKeyOfASectionOfOurs_IsAnError()
    {
        SettingsOf.TryRead(
            Environment("GATEWAYTYPO_", new() { ["OpcUa__Prot"] = "1" }), out var errors);

        Assert.Equal(
            ["OpcUa:Prot: is no key of the gateway (the environment); did you mean OpcUa:Port?"], errors);
    }

    /// <summary>They may be another program's, so the gateway starts; but it says so.</summary>
    [Theory]
    [InlineData("Limit__MaxSessions", "Limits:MaxSessions")]
    [InlineData("Limit__MaxSesions", "Limits:MaxSessions")]
    [InlineData("Upstream__0__Name", "Upstreams:0:Name")]
    [InlineData("Htp__Address", "Http:Address")]
    [InlineData("Foreign__Key", null)]
    [InlineData("Logging__LogLevel__Default", null)]
    [InlineData("Limit__Of__Another__Program", null)]
    [InlineData("LIMIT", null)]
    public void Environment_NearMissOfASection_IsAWarning(string variable, string? meant)
    {
        var prefix = $"GATEWAYNEAR{variable.Replace("_", "", StringComparison.Ordinal)}_";
        var settings = SettingsOf.TryRead(Environment(prefix, new() { [variable] = "3" }), out var errors);

        Assert.Empty(errors);
        if (meant is null)
            Assert.Empty(settings!.Warnings);
        else
            Assert.Equal(
                $"{variable}: is no key of the gateway (the environment) and has no effect; did you mean {meant}?",
                Assert.Single(settings!.Warnings));
    }

    [Theory]
    [InlineData("""{ "Upstream": [] }""", "Upstreams")]
    [InlineData(
        """{ "User": [] }""", "Upstreams:0:User or PubSub:KeyServices:0:User or PubSub:Connections:0:User or Users")]
    [InlineData("""{ "Limit": 3 }""", "Limits")]
    public void File_NearMissOfASection_TheSectionThatWasMeant(string json, string meant)
    {
        using var folder = new ConfigurationFolder(json);

        var error = Assert.Single(folder.Errors());

        Assert.EndsWith($"; did you mean {meant}?", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Help_EveryKeyOfTheProgramsFileAndOfTheReadme_IsThere()
    {
        var help = HelpText.Make();
        var known = ConfigurationKeys.All.Select(key => key.Name).ToHashSet();

        Assert.All(known, name => Assert.Contains("\n" + name, help, StringComparison.Ordinal));
        Assert.All(
            ConfigurationKeys.All.Where(key => key.Name.StartsWith("Limits:", StringComparison.Ordinal)),
            key => Assert.NotEmpty(key.Meaning));
        Assert.All(
            ["--demo", "--hash-password", "--version", "--help"],
            option => Assert.Contains(option, help, StringComparison.Ordinal));
        var readme = File.ReadAllText(Path.Combine(Root(), "README.md"));
        Assert.All(
            known.Where(name => !name.StartsWith("Limits:", StringComparison.Ordinal)),
            name => Assert.Contains(name.Split(':').Last(part => part != "N"), readme, StringComparison.Ordinal));
    }

    private static IConfigurationRoot Environment(string prefix, Dictionary<string, string> variables)
    {
        foreach (var (name, value) in variables)
            System.Environment.SetEnvironmentVariable(prefix + name, value);
        return new ConfigurationBuilder().AddEnvironmentVariables(prefix).Build();
    }

    private static string Root()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Gateway.sln")))
            folder = Path.GetDirectoryName(folder)!;
        return folder;
    }
}
