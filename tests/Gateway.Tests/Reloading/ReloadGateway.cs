using System.Text.Json;
using Gateway.Host.Reloading;
using Gateway.Rest.Management;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Reloading;

/// <summary>A gateway with a configuration file of its own, in demo mode: requests need no user.</summary>
internal sealed class ReloadGateway : IAsyncDisposable
{
    private readonly DirectoryInfo _folder;

    private ReloadGateway(DirectoryInfo folder, RunningGateway host) => (_folder, Host) = (folder, host);

    public RunningGateway Host { get; }

    public ConfigurationControl Control => Host.Get<ConfigurationControl>();

    private string File => Path.Combine(_folder.FullName, "plant.json");

    /// <param name="json">The file at the start.</param>
    /// <param name="options">As on the command line.</param>
    public static async Task<ReloadGateway> StartAsync(string json, params string[] options)
    {
        var folder = Directory.CreateTempSubdirectory("reload-");
        var file = Path.Combine(folder.FullName, "plant.json");
        await System.IO.File.WriteAllTextAsync(file, json);
        return new(folder, await RunningGateway.StartAsync([$"--Config:Path={file}", .. options]));
    }

    public void Write(string json) => System.IO.File.WriteAllText(File, json);

    /// <summary>Writes the file and has it read. The answer's status and JSON.</summary>
    public async Task<(int Status, JsonElement Json)> ReloadAsync(string json)
    {
        Write(json);
        return await RestGateway.SendAsync(Host.Client, HttpMethod.Post, "/api/v1/config/reload", "");
    }

    /// <summary>The same, where it has to be right.</summary>
    public async Task<ConfigurationReload> ApplyAsync(string json)
    {
        var (status, answer) = await ReloadAsync(json);
        Assert.True(status == 200, answer.ToString());
        return Control.Last!;
    }

    /// <summary>The entry of one key in <c>/config</c>.</summary>
    public async Task<JsonElement> ValueOfAsync(string key)
    {
        var (_, answer) = await RestGateway.GetAsync(Host.Client, "/api/v1/config?limit=1000");
        return answer.GetProperty("values").EnumerateArray()
            .Single(one => one.GetProperty("key").GetString() == key);
    }

    public async ValueTask DisposeAsync()
    {
        await Host.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}
