using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.PubSub.Tests.DataSets;

/// <summary>How a data set follows the address space, and what its version says of that (Part 14 §5.2.3).</summary>
public sealed class PublishedDataSetTests
{
    private readonly Plant _plant = new Plant().AddFolder("Line").AddTag("Line.A").AddTag("Line.B");

    [Fact]
    public void Refresh_NothingOfItHasChanged_TheSameLayout()
    {
        using var dataSet = _plant.Publish("ns=1;s=Line/**");
        var before = dataSet.Layout;

        _plant.AddTag("Elsewhere");

        Assert.Same(before, dataSet.Refresh());
        Assert.Same(before, dataSet.Layout);
    }

    [Fact]
    public void Refresh_FieldBehindTheOthers_MinorVersionAlone()
    {
        using var dataSet = _plant.Publish("ns=1;s=Line/**");
        var before = dataSet.Layout.Version;

        _plant.AddTag("Line.C");

        var after = dataSet.Refresh();
        Assert.Equal(["A", "B", "C"], after.Fields.Select(field => field.Name));
        Assert.Equal(before.MajorVersion, after.Version.MajorVersion);
        Assert.True(after.Version.MinorVersion > before.MinorVersion);
    }

    [Fact]
    public void Refresh_FieldBetweenTheOthers_MajorVersion()
    {
        using var dataSet = _plant.Publish("ns=1;s=Line/*", "ns=1;s=Last");
        var before = dataSet.Layout.Version;

        _plant.AddTag("Line.C");

        var after = dataSet.Refresh();
        Assert.Equal(["A", "B", "C", "ns=1;s=Last"], after.Fields.Select(field => field.Name));
        Assert.True(after.Version.MajorVersion > before.MajorVersion);
        Assert.Equal(after.Version.MajorVersion, after.Version.MinorVersion);
    }

    [Fact]
    public void Refresh_FieldGone_MajorVersion()
    {
        using var dataSet = _plant.Publish("ns=1;s=Line/**");
        var before = dataSet.Layout.Version;

        _plant.Remove("Line.A");

        var after = dataSet.Refresh();
        Assert.Equal(["B"], after.Fields.Select(field => field.Name));
        Assert.True(after.Version.MajorVersion > before.MajorVersion);
    }

    [Fact]
    public void Refresh_NamedNodeGoesAndComes_KeepsItsPlace()
    {
        using var dataSet = _plant.Publish("ns=1;s=Line.A", "ns=1;s=Line.B");
        var before = dataSet.Layout;

        _plant.Remove("Line.A");
        var without = dataSet.Refresh();
        Assert.Equal((2, 1), (without.Fields.Count, dataSet.Report().Missing));
        Assert.Equal(before.Fields[1], without.Fields[1]);

        _plant.AddTag("Line.A");
        Assert.Equal(before.Fields, dataSet.Refresh().Fields);
        Assert.Equal(0, dataSet.Report().Missing);
    }

    [Fact]
    public void Refresh_OtherDataType_MajorVersion()
    {
        using var dataSet = _plant.Publish("ns=1;s=Line/**");
        var before = dataSet.Layout.Version;

        _plant.Remove("Line.B").AddTag("Line.B", BuiltInType.String);

        var after = dataSet.Refresh();
        Assert.Equal((byte)BuiltInType.String, after.MetaData.Fields![1].BuiltInType);
        Assert.True(after.Version.MajorVersion > before.MajorVersion);
    }

    /// <summary>Two changes within a second have two versions.</summary>
    [Fact]
    public void Refresh_AtOnce_VersionsCountUp()
    {
        using var dataSet = _plant.Publish("ns=1;s=Line/**");
        var minors = new List<uint> { dataSet.Layout.Version.MinorVersion };
        for (var i = 0; i < 5; i++)
        {
            _plant.AddTag($"Line.More{i}");
            minors.Add(dataSet.Refresh().Version.MinorVersion);
        }

        Assert.Equal(minors.Distinct().Order(), minors);
    }

    [Fact]
    public void Layout_MetaData_SaysEachFieldWithItsNode()
    {
        using var dataSet = _plant.Publish("ns=1;s=Line.A", "ns=1;s=Gone");

        var metaData = dataSet.Layout.MetaData;

        Assert.Equal("tags", metaData.Name);
        Assert.Equal("urn:plant", Assert.Single(metaData.Namespaces!));
        Assert.Equal(
            [
                ("A", (byte)BuiltInType.Double, new NodeId(11), -1, "nsu=urn:plant;s=Line.A"),
                ("ns=1;s=Gone", (byte)BuiltInType.Variant, new NodeId(24), -2, ""),
            ],
            metaData.Fields!.Select(field => (
                field.Name, field.BuiltInType, field.DataType, field.ValueRank, NodeOf(field))));
        Assert.Equal(2, metaData.Fields!.Select(field => field.DataSetFieldId).Distinct().Count());
    }

    /// <summary>A subscriber knows the fields again after a restart, and at a replica.</summary>
    [Fact]
    public void Layout_SecondGateway_TheSameFieldIds()
    {
        using var dataSet = _plant.Publish("ns=1;s=Line/**");
        using var other = new Plant().AddFolder("Line").AddTag("Line.A").AddTag("Line.B").Publish("ns=1;s=Line/**");

        Assert.Equal(
            dataSet.Layout.MetaData.Fields!.Select(field => field.DataSetFieldId),
            other.Layout.MetaData.Fields!.Select(field => field.DataSetFieldId));
    }

    private static string NodeOf(FieldMetaData field) =>
        field.Properties is [var only] ? only.Value.AsString() ?? "" : "";
}
