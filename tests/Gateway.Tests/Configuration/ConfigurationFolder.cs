using Gateway.Host;

namespace Gateway.Tests.Configuration;

/// <summary>A working directory with an appsettings.json of the test.</summary>
internal sealed class ConfigurationFolder : IDisposable
{
    public ConfigurationFolder(string? json = null)
    {
        if (json is not null)
            File.WriteAllText(FilePath, json);
    }

    public string Path { get; } = Directory.CreateTempSubdirectory("gateway-").FullName;

    public string FilePath => System.IO.Path.Combine(Path, "appsettings.json");

    public GatewaySettings Read(params string[] arguments)
    {
        var settings = SettingsOf.TryRead(
            CommandLine.ReadConfiguration(arguments, Path), out var errors);
        Assert.Empty(errors);
        return settings!;
    }

    public IReadOnlyList<string> Errors(params string[] arguments)
    {
        Assert.Null(SettingsOf.TryRead(CommandLine.ReadConfiguration(arguments, Path), out var errors));
        return errors;
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
