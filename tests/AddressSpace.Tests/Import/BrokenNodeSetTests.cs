using Gateway.AddressSpace.Import;
using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Tests.Import;

/// <summary>A file that is cut or spoiled anywhere is refused with a NodeSetException, or still is a model.</summary>
public sealed class BrokenNodeSetTests : IDisposable
{
    private const string Model = """
        <UANodeSet xmlns="http://opcfoundation.org/UA/2011/03/UANodeSet.xsd">
        <NamespaceUris><Uri>urn:m</Uri></NamespaceUris><Models><Model ModelUri="urn:m"/></Models>
        <Aliases><Alias Alias="T">i=40</Alias></Aliases>
        <UADataType NodeId="ns=1;i=1" BrowseName="1:P" IsAbstract="0"><References>
        <Reference ReferenceType="i=45" IsForward="false">i=22</Reference></References>
        <Definition Name="1:P" IsUnion="true"><Field Name="X" DataType="i=6" ValueRank="1" ArrayDimensions="0"/>
        <Field Name="Y" DataType="i=11" MaxStringLength="1"/></Definition></UADataType>
        <UADataType NodeId="ns=1;i=4" BrowseName="1:E"><References>
        <Reference ReferenceType="i=45" IsForward="false">i=29</Reference></References>
        <Definition Name="1:E"><Field Name="A" Value="1"/></Definition></UADataType>
        <UAObject NodeId="ns=1;i=2" BrowseName="Default Binary" EventNotifier="1"><References>
        <Reference ReferenceType="T">i=76</Reference>
        <Reference ReferenceType="i=38" IsForward="false">ns=1;i=1</Reference></References></UAObject>
        <UAVariable NodeId="ns=1;g=72962b91-fa75-4ae6-8d28-b404dc7daf63" BrowseName="1:V" DataType="ns=1;i=1"
        AccessLevel="3" MinimumSamplingInterval="1.5" AccessRestrictions="1"><RolePermissions>
        <RolePermission Permissions="3">i=15644</RolePermission></RolePermissions>
        <References><Reference ReferenceType="T">i=63</Reference></References><Value>
        <ExtensionObject><TypeId><Identifier>ns=1;i=2</Identifier></TypeId><Body><P><X><Int32>1</Int32></X></P></Body>
        </ExtensionObject></Value></UAVariable>
        <UAVariable NodeId="ns=1;b=AQID" BrowseName="1:W" DataType="i=24"><References>
        <Reference ReferenceType="T">i=63</Reference></References><Value><Matrix><Dimensions><UInt32>1</UInt32>
        <UInt32>1</UInt32></Dimensions><Elements><DateTime>2024-01-01T00:00:00Z</DateTime></Elements></Matrix></Value>
        </UAVariable></UANodeSet>
        """;

    private readonly AddressSpaces _space = AddressSpaces.Standard();
    private readonly string _path = Path.GetTempFileName();

    public BrokenNodeSetTests() => _space.Nodes.Namespaces.GetOrAdd("urn:test:server");

    public void Dispose() => File.Delete(_path);

    [Fact]
    public void LoadFile_Whole_IsLoaded() => Assert.True(TryLoad(Model));

    [Fact]
    public void LoadFile_Cut_IsRefused()
    {
        for (var length = 0; length < Model.Length; length += 3)
            Assert.False(TryLoad(Model[..length]), $"cut at {length}");
    }

    [Theory]
    [InlineData('\0')]
    [InlineData('<')]
    [InlineData('"')]
    [InlineData('&')]
    [InlineData('9')]
    [InlineData('-')]
    [InlineData(' ')]
    [InlineData('x')]
    public void LoadFile_CharacterSpoiled_IsRefusedOrAModel(char spoiled)
    {
        // Each of the characters takes every seventh place, from another one on: together they take most.
        var refused = 0;
        for (var i = spoiled % 7; i < Model.Length; i += 7)
            refused += TryLoad(string.Concat(Model.AsSpan(0, i), [spoiled], Model.AsSpan(i + 1))) ? 0 : 1;
        Assert.True(refused > 0);
        Assert.Empty(_space.Inconsistencies());
    }

    /// <summary>Every other exception goes through and fails the test.</summary>
    private bool TryLoad(string text)
    {
        File.WriteAllText(_path, text);
        var before = _space.Nodes.HandleEnd;
        try
        {
            new NodeSetImporter(_space.Nodes, _space.Values, _space.Source, NodeSetLimits.Default).LoadFile(_path);
        }
        catch (NodeSetException)
        {
            Assert.Equal(before, _space.Nodes.HandleEnd);
            return false;
        }

        var removal = new NodeBatch();
        for (var i = before; i < _space.Nodes.HandleEnd; i++)
            removal.Remove(new NodeHandle(i));
        _space.Nodes.Apply(removal);
        return true;
    }
}
