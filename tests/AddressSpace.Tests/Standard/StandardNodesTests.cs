using Gateway.AddressSpace.Import;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.NodeSetCompiler;
using static Gateway.Codec.Types.StandardIds.ReferenceTypes;

namespace Gateway.AddressSpace.Tests.Standard;

public class StandardNodesTests
{
    private const uint Mandatory = 78;
    private static readonly Lazy<AddressSpaces> Space = new(AddressSpaces.Standard);

    [Fact]
    public void Load_Always_NoReferenceDangles()
    {
        Assert.True(Space.Value.Nodes.Count > 5400);
        Assert.Empty(Space.Value.Inconsistencies());
    }

    [Fact]
    public void Load_Always_EveryTypeIsReachedFromRoot()
    {
        var nodes = Space.Value.Nodes;
        var hierarchical = Space.Value[HierarchicalReferences];
        var seen = new HashSet<NodeHandle> { Space.Value[84] };
        var open = new Queue<NodeHandle>(seen);
        while (open.TryDequeue(out var node))
        {
            foreach (var reference in Space.Value.References(node))
            {
                if (reference.IsForward && nodes.IsSubtypeOf(reference.ReferenceType, hierarchical) &&
                    seen.Add(reference.Target))
                    open.Enqueue(reference.Target);
            }
        }

        // Instances that only design tools use (aggregate functions, named properties) hang nowhere.
        var unreached = Space.Value.All().Where(node => !seen.Contains(node)).Where(node => nodes.GetNodeClass(node) is
            NodeClass.ObjectType or NodeClass.VariableType or NodeClass.DataType or NodeClass.ReferenceType);
        Assert.Empty(unreached);
    }

    [Fact]
    public void Load_Always_EveryInstanceHasOneTypeDefinition()
    {
        var nodes = Space.Value.Nodes;
        var typed = Space.Value.All().Where(node =>
            nodes.GetNodeClass(node) is NodeClass.Object or NodeClass.Variable);
        Assert.All(typed, node => Assert.Single(
            Space.Value.References(node), reference => reference.IsForward &&
                nodes.GetNodeId(reference.ReferenceType).Numeric == HasTypeDefinition));
    }

    [Fact]
    public void Load_Always_ServerHasItsMandatoryChildren()
    {
        string[] mandatory =
        [
            "ServerArray", "NamespaceArray", "ServiceLevel", "Auditing", "ServerStatus", "ServerCapabilities",
            "ServerDiagnostics", "VendorServerInfo", "ServerRedundancy",
        ];
        Assert.All(mandatory, name => Assert.False(Space.Value.Child(Space.Value[2253], name).IsNone, name));
        var status = Space.Value.Child(Space.Value[2253], "ServerStatus");
        string[] parts = ["StartTime", "CurrentTime", "State", "BuildInfo", "SecondsTillShutdown", "ShutdownReason"];
        Assert.All(parts, name => Assert.False(Space.Value.Child(status, name).IsNone, name));
    }

    [Fact]
    public void Load_Always_EveryInstanceHasTheMandatoryChildrenOfItsType()
    {
        var nodes = Space.Value.Nodes;
        var lacking = new List<string>();
        foreach (var node in Space.Value.All().Where(node => Targets(node, HasModellingRule).Count == 0))
        {
            var names = Targets(node, HasProperty, HasComponent).Select(nodes.GetBrowseName).ToHashSet();
            for (var type = Targets(node, HasTypeDefinition).FirstOrDefault(); !type.IsNone;
                type = nodes.GetSuperType(type))
            {
                lacking.AddRange(Targets(type, HasProperty, HasComponent)
                    .Where(child => Targets(child, HasModellingRule).Contains(Space.Value[Mandatory]))
                    .Where(child => !names.Contains(nodes.GetBrowseName(child)))
                    .Select(child => $"{nodes.GetNodeId(node)} lacks {nodes.GetBrowseName(child)}"));
            }
        }

        Assert.Empty(lacking);
    }

    [Fact]
    public void ReadAttribute_EveryNode_HasWhatItsClassMustHave()
    {
        var nodes = Space.Value.Nodes;
        foreach (var node in Space.Value.All())
        {
            AttributeId[] mandatory = nodes.GetNodeClass(node) switch
            {
                NodeClass.Object => [AttributeId.EventNotifier],
                NodeClass.Variable =>
                    [AttributeId.DataType, AttributeId.ValueRank, AttributeId.AccessLevel, AttributeId.Historizing],
                NodeClass.Method => [AttributeId.Executable, AttributeId.UserExecutable],
                NodeClass.VariableType => [AttributeId.DataType, AttributeId.ValueRank, AttributeId.IsAbstract],
                NodeClass.ReferenceType => [AttributeId.IsAbstract, AttributeId.Symmetric],
                _ => [AttributeId.IsAbstract],
            };
            Assert.All(
                mandatory.Append(AttributeId.NodeId).Append(AttributeId.BrowseName).Append(AttributeId.DisplayName),
                attribute => Assert.Equal(StatusCodes.Good, nodes.ReadAttribute(node, attribute, out _).Code));
            Assert.Equal(
                StatusCodes.BadAttributeIdInvalid, nodes.ReadAttribute(node, (AttributeId)99, out _).Code);
        }
    }

    [Fact]
    public void Load_Always_EveryVariableHasAKnownDataType()
    {
        var nodes = Space.Value.Nodes;
        var dataTypes = Space.Value.All()
            .Where(node => nodes.GetNodeClass(node) is NodeClass.Variable or NodeClass.VariableType)
            .Select(node => nodes.GetVariableFacts(node).DataType)
            .Distinct();
        Assert.All(dataTypes, type => Assert.Equal(NodeClass.DataType, nodes.GetNodeClass(nodes.Find(type))));
        Assert.Equal(BuiltInType.Int32, nodes.GetVariableFacts(Space.Value[2259]).BuiltInType);
        Assert.Equal(BuiltInType.ExtensionObject, nodes.GetVariableFacts(Space.Value[2256]).BuiltInType);
        Assert.Equal(BuiltInType.Double, nodes.GetBuiltInType(new NodeId(StandardIds.DataTypes.Duration)));
    }

    [Fact]
    public void Load_Always_ConstantValuesAreThere()
    {
        var arguments = Space.Value.Values.Read(Space.Value[11493]).Value.AsArray<ExtensionObject>()!;
        var argument = Assert.IsType<Argument>(Assert.Single(arguments).Body);
        Assert.Equal("SubscriptionId", argument.Name);
        Assert.Equal(StandardIds.DataTypes.UInt32, argument.DataType.Numeric);
        var strings = Space.Value.Values.Read(Space.Value[7612]).Value.AsArray<LocalizedText>()!;
        Assert.Equal("Running", strings[0].Text);
    }

    [Fact]
    public void ReadAttribute_DefinitionOfASubtype_BeginsWithInheritedFields()
    {
        Space.Value.Nodes.ReadAttribute(Space.Value[322], AttributeId.DataTypeDefinition, out var value);
        var definition = value.AsStructure<StructureDefinition>()!;
        string[] fields = ["PolicyId", "UserName", "Password", "EncryptionAlgorithm"];
        Assert.Equal(fields, definition.Fields!.Select(f => f.Name));
        Assert.Equal(new NodeId(316), definition.BaseDataType);
        Assert.Equal(new NodeId(324), definition.DefaultEncodingId);
    }

    [NodeSetFact]
    public void Table_RemadeFromTheStandard_IsTheCommittedOne()
    {
        using var remade = new StringWriter { NewLine = "\n" };
        StandardTable.Write(NodeSetFiles.Get("Opc.Ua.NodeSet2.xml"), remade);
        var committed = File.ReadAllText(
            Path.Combine(NodeSetFiles.Root(), "src/AddressSpace/Standard/StandardNodes.txt"));
        Assert.Equal(remade.ToString(), committed);
    }

    [NodeSetFact]
    public void Load_ComparedWithTheImportedStandard_HoldsTheSame()
    {
        var imported = new AddressSpaces();
        new NodeSetImporter(imported.Nodes, imported.Values, imported.Source, NodeSetLimits.Default)
            .LoadFile(NodeSetFiles.Get("Opc.Ua.NodeSet2.xml"));
        Assert.Equal(imported.Nodes.Count, Space.Value.Nodes.Count);
        var server = new NodeId(2253);
        foreach (var node in Space.Value.All())
        {
            var same = imported.Nodes.Find(Space.Value.Nodes.GetNodeId(node));
            for (var attribute = AttributeId.NodeId; attribute <= AttributeId.AccessLevelEx; attribute++)
            {
                if (attribute == AttributeId.Description)
                    continue;
                var status = Space.Value.Nodes.ReadAttribute(node, attribute, out var value);
                Assert.Equal(imported.Nodes.ReadAttribute(same, attribute, out var expected), status);
                // The gateway has events of its own, whatever file the standard comes from.
                if (attribute == AttributeId.EventNotifier && imported.Nodes.GetNodeId(same) == server)
                    continue;
                if (value.Type != BuiltInType.ExtensionObject)
                    Assert.Equal(expected, value);
            }

            Assert.Equal(imported.References(same).Count, Space.Value.References(node).Count);
        }
    }

    private static List<NodeHandle> Targets(NodeHandle node, params uint[] types) => Space.Value.References(node)
        .Where(r => r.IsForward && types.Contains(Space.Value.Nodes.GetNodeId(r.ReferenceType).Numeric))
        .Select(r => r.Target)
        .ToList();
}
