using Gateway.PubSub.DataSets;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.DataSets;

/// <summary>A data set keeps its version over a restart as long as its fields are the same.</summary>
public sealed class VersionFileTests : IDisposable
{
    private readonly string _path =
        Path.Combine(Path.GetTempPath(), $"versions-{Guid.NewGuid():N}", "pubsub", "versions.json");

    public void Dispose() => Directory.Delete(Path.GetDirectoryName(Path.GetDirectoryName(_path))!, recursive: true);

    [Fact]
    public void Restart_SameFields_SameVersion()
    {
        using var first = MakePlant("A", "B").Publish("ns=1;s=Line/**");
        var before = first.Layout.Version;
        var later = MakePlant("A", "B");
        later.Time.Advance(3_600_000);
        using var second = later.Publish("ns=1;s=Line/**");

        var after = second.Layout.Version;

        Assert.Equal((before.MajorVersion, before.MinorVersion), (after.MajorVersion, after.MinorVersion));
    }

    /// <summary>As with an upstream that is there a while after the start.</summary>
    [Fact]
    public void Restart_FieldsComeOneAfterTheOther_TheirVersionInTheEnd()
    {
        using var first = MakePlant("A", "B").Publish("ns=1;s=Line/**");
        var before = first.Layout.Version;
        var later = MakePlant();
        later.Time.Advance(3_600_000);
        using var second = later.Publish("ns=1;s=Line/**");
        var empty = second.Layout.Version;

        later.AddTag("Line.A").AddTag("Line.B");

        Assert.True(empty.MajorVersion > before.MajorVersion);
        Assert.Equal(before.MinorVersion, second.Refresh().Version.MinorVersion);
        Assert.Equal(before.MajorVersion, second.Layout.Version.MajorVersion);
    }

    /// <summary>A clock that was set back makes no version a second time.</summary>
    [Fact]
    public void Restart_OtherFieldsAndAnEarlierClock_AHigherVersion()
    {
        var early = MakePlant("A");
        early.Time.Advance(3_600_000);
        using var first = early.Publish("ns=1;s=Line/**");
        var before = first.Layout.Version;
        using var second = MakePlant("B").Publish("ns=1;s=Line/**");

        Assert.True(second.Layout.Version.MajorVersion > before.MajorVersion);
    }

    [Fact]
    public void SameProcess_FieldsGoAndComeAgain_VersionsRise()
    {
        var plant = MakePlant("A", "B");
        using var dataSet = plant.Publish("ns=1;s=Line/**");
        var before = dataSet.Layout.Version;
        plant.Remove("Line.A");
        var without = dataSet.Refresh().Version;

        plant.AddTag("Line.A");

        Assert.True(without.MajorVersion > before.MajorVersion);
        Assert.True(dataSet.Refresh().Version.MinorVersion > without.MinorVersion);
    }

    [Theory]
    [InlineData("half a {")]
    [InlineData("[1]")]
    public void File_Broken_VersionsAreNewAndItIsReplaced(string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_path)!);
        File.WriteAllText(_path, text);
        using var first = MakePlant("A").Publish("ns=1;s=Line/**");
        var before = first.Layout.Version;
        using var second = MakePlant("A").Publish("ns=1;s=Line/**");

        Assert.Equal(before.MinorVersion, second.Layout.Version.MinorVersion);
        Assert.StartsWith("{", File.ReadAllText(_path), StringComparison.Ordinal);
        Assert.Equal([_path], Directory.GetFiles(Path.GetDirectoryName(_path)!));
    }

    private Plant MakePlant(params string[] tags)
    {
        var plant = new Plant { Versions = new VersionFile(_path, NullLogger.Instance) }.AddFolder("Line");
        foreach (var tag in tags)
            plant.AddTag("Line." + tag);
        return plant;
    }
}
