using System.Text.Json;
using Gateway.Host.Configuration;

namespace Gateway.Tests.Configuration;

/// <summary>The commands about configuration files, as they are typed.</summary>
public sealed class ConfigurationVerbTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("config-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Check_RightFile_SaysSo()
    {
        var file = Write("a.json", """{"OpcUa":{"Port":4841}}""");

        Assert.Equal((0, $"{file}: the gateway would start with it\n", ""), Run("check", file));
    }

    [Fact]
    public void Check_WrongFile_AllErrorsWithTheirKeys()
    {
        var file = Write("a.json", """{"OpcUa":{"Port":70000},"Limits":{"MaxSesions":5}}""");

        var (code, output, _) = Run("check", file);

        Assert.Equal(1, code);
        Assert.Contains("OpcUa:Port: 70000 is not between", output, StringComparison.Ordinal);
        Assert.Contains("did you mean Limits:MaxSessions?", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{", "line 1")]
    [InlineData(null, "there is no such file")]
    public void Check_NoFileThatCanBeRead_SaysWhy(string? text, string expected)
    {
        var file = text is null ? Path.Combine(_folder, "none") : Write("a.json", text);

        var (code, output, error) = Run("check", file);

        Assert.Equal((1, ""), (code, output));
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    [Fact]
    public void Diff_TwoFiles_KeysThatDifferAndNoSecret()
    {
        var one = Write("a.json", """{"OpcUa":{"Port":4841},"Users":[{"Name":"a","Password":"old"}]}""");
        var other = Write("b.json", """{"OpcUa":{"Port":4842},"Users":[{"Name":"a","Password":"new"}],"Demo":true}""");

        Assert.Equal(
            (1, "Demo: (none) → True\nOpcUa:Port: 4841 → 4842\nUsers:0:Password: differs\n", ""),
            Run("diff", one, other));
        Assert.Equal((0, "", ""), Run("diff", one, one));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Schema_HasEachKeyWithItsMeaning(bool withSecrets)
    {
        var (code, output, _) = Run([.. (string[])["schema"], .. withSecrets ? (string[])[] : ["--without-secrets"]]);

        Assert.Equal(0, code);
        using var schema = JsonDocument.Parse(output);
        Assert.All(ConfigurationKeys.All, key =>
        {
            var found = Find(schema.RootElement, key.Name.Split(':'));
            Assert.Equal(withSecrets || !key.IsSecret, found is not null);
            if (found is { } leaf)
                Assert.Equal(key.Meaning, leaf.GetProperty("description").GetString());
        });
    }

    [Fact]
    public void Docs_HasARowForEachKey()
    {
        var (code, output, _) = Run("docs");

        Assert.Equal(0, code);
        Assert.Equal(ConfigurationKeys.All.Count + 2, output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Contains("| `OpcUa:Port` | 4840 | a restart | its port |\n", output, StringComparison.Ordinal);
    }

    [Fact]
    public void SettingsPage_IsWhatTheProgramPrints()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Gateway.sln")))
            folder = Path.GetDirectoryName(folder)!;
        var page = File.ReadAllText(Path.Combine(folder, "docs", "settings.md"));

        Assert.True(
            page.EndsWith(Run("docs").Output, StringComparison.Ordinal),
            "tools/settings-page.mjs brings it up to date");
    }

    [Theory]
    [InlineData]
    [InlineData("chek", "a")]
    [InlineData("check")]
    public void Command_Unknown_SaysWhichThereAre(params string[] arguments)
    {
        var (code, _, error) = Run(arguments);

        Assert.Equal(2, code);
        Assert.Contains("config check FILE", error, StringComparison.Ordinal);
    }

    private static JsonElement? Find(JsonElement schema, ReadOnlySpan<string> path)
    {
        if (path.IsEmpty)
            return schema;
        if (path[0] == "N")
            return Find(path.Length == 1 ? schema : schema.GetProperty("items"), path[1..]);
        if (path[0][0] == '<')
            return schema.GetProperty("additionalProperties");
        return schema.GetProperty("properties").TryGetProperty(path[0], out var child) ? Find(child, path[1..]) : null;
    }

    private static (int Code, string Output, string Error) Run(params string[] arguments)
    {
        using var output = new StringWriter();
        using var errors = new StringWriter();
        return (ConfigurationVerbs.Run(arguments, output, errors), output.ToString(), errors.ToString());
    }

    private string Write(string name, string text)
    {
        var path = Path.Combine(_folder, name);
        File.WriteAllText(path, text);
        return path;
    }
}
