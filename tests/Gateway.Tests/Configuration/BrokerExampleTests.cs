using System.Text.RegularExpressions;

namespace Gateway.Tests.Configuration;

/// <summary>The configurations of docs/pubsub-brokers.md are valid, whole, and without a key that the gateway does not
/// know.</summary>
public sealed class BrokerExampleTests
{
    private static readonly string[] Brokers = ["mosquitto", "hivemq", "azure"];

    [Fact]
    public async Task Examples_OfThePage_AreValid()
    {
        var root = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(root.FullName, "Gateway.sln")))
            root = root.Parent!;
        var page = await File.ReadAllTextAsync(Path.Combine(root.FullName, "docs", "pubsub-brokers.md"));
        var examples = Regex.Matches(page, "```json\n(.*?)```", RegexOptions.Singleline);

        Assert.Equal(Brokers.Length, examples.Count);
        for (var i = 0; i < Brokers.Length; i++)
        {
            var json = examples[i].Groups[1].Value;
            using var folder = new ConfigurationFolder(json);

            var settings = folder.Read();

            Assert.Empty(settings.Warnings);
            Assert.Contains($"\"Name\": \"{Brokers[i]}\"", json, StringComparison.Ordinal);
        }
    }

    /// <summary>The test above would see a misspelt key.</summary>
    [Fact]
    public void Example_WithAMisspeltKey_IsNotValid()
    {
        using var folder = new ConfigurationFolder("""{"PubSub":{"PublisherID2":"plant1"}}""");

        Assert.Contains(folder.Errors(), error => error.Contains("PublisherID2", StringComparison.Ordinal));
    }
}
