namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>A folder of one test.</summary>
internal sealed class TestFolder : IDisposable
{
    public string Root { get; } = Directory.CreateTempSubdirectory("gateway-mqtt-").FullName;

    public string this[string file] => Path.Combine(Root, file);

    public string Write(string file, string text)
    {
        File.WriteAllText(this[file], text);
        return this[file];
    }

    public void Dispose() => Directory.Delete(Root, recursive: true);
}
