using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations;
using Gateway.Operations.Access;
using Gateway.Operations.Work;
using Gateway.Rest.Answers;
using Gateway.Rest.Conversion;

namespace Gateway.Rest.Tests.Conversion;

public sealed class ValueConverterTests
{
    private static readonly NodeId Speed = new("Speed", 1);

    private readonly DecodeBudget _budget = new(1024 * 1024);
    private readonly NodeTable _nodes = new();
    private readonly ValueStore _values = new(TimeProvider.System);
    private readonly ValueConverter _converter;
    private readonly Turn _turn = new();
    private readonly EnumTables _enumerations;

    public ValueConverterTests()
    {
        _nodes.Namespaces.GetOrAdd("urn:test");
        _nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = Speed,
            NodeClass = NodeClass.DataType,
            BrowseName = new QualifiedName("Speed", 1),
            DataTypeDefinition = new EnumDefinition
            {
                Fields = [new EnumField { Name = "Slow", Value = 1 }, new EnumField { Name = "Fast", Value = 5 }],
            },
        }));
        _converter = new ValueConverter(
            new RestFormat(_nodes, new TableStructures(_nodes)), new AbstractValues(_nodes));
        _enumerations = new EnumTables(
            new EnumNames(_nodes, _values, new NodeAccess(_nodes, new AccessPolicy(_nodes))), _turn);
    }

    [Theory]
    [InlineData("\"Fast\"", 5)]
    [InlineData("\"Fast_5\"", 5)]
    [InlineData("\"1\"", 1)]
    [InlineData("5", 5)]
    public void Convert_EnumerationByNameOrNumber_IsItsNumber(string json, int number)
    {
        Assert.Equal(
            StatusCode.Good, Convert(json, new ExpectedType(Speed, BuiltInType.Int32, -1), out var value, out _));
        Assert.Equal(new Variant(number), value);
    }

    [Theory]
    [InlineData("\"Fastest\"")]
    [InlineData("\"Fast_1\"")]
    [InlineData("true")]
    public void Convert_NoNameOfTheEnumeration_ListsTheNames(string json)
    {
        var status = Convert(json, new ExpectedType(Speed, BuiltInType.Int32, -1), out _, out var problem);

        Assert.Equal(StatusCodes.BadTypeMismatch, status.Code);
        Assert.Equal("expected one of Slow (1), Fast (5)", problem);
    }

    [Theory]
    [InlineData("""["Slow","Fast_5",1,"5"]""", 1, 5, 1, 5)]
    [InlineData("[]")]
    public void Convert_EnumerationsByNameOrNumber_AreTheirNumbers(string json, params int[] numbers)
    {
        Assert.Equal(
            StatusCode.Good, Convert(json, new ExpectedType(Speed, BuiltInType.Int32, 1), out var value, out _));
        Assert.Equal(numbers, value.AsArray<int>());
    }

    [Fact]
    public void Convert_MatrixOfEnumerations_IsTheirNumbers()
    {
        Assert.Equal(StatusCode.Good, Convert(
            """[["Slow","Fast"],[1,"Slow"]]""", new ExpectedType(Speed, BuiltInType.Int32, 2), out var value, out _));
        Assert.Equal(
            Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 5, 1, 1 }, [2, 2])), value);
    }

    [Fact]
    public void Convert_NoNameInAnArray_SaysWhichAndListsTheNames()
    {
        var status = Convert(
            """["Slow","Fastest"]""", new ExpectedType(Speed, BuiltInType.Int32, 1), out _, out var problem);

        Assert.Equal(StatusCodes.BadTypeMismatch, status.Code);
        Assert.Equal("$[1]: expected one of Slow (1), Fast (5)", problem);
    }

    [Theory]
    [InlineData("""["x"]""", BuiltInType.Guid, 1, "$[0]: expected Guid, as 72962B91-FA75-4AE6-8D28-B404DC7DAF63")]
    [InlineData("""["x"]""", BuiltInType.DateTime, 1, "$[0]: expected DateTime, as 2026-01-31T12:00:00Z")]
    [InlineData("""[[1,2],[3,"x"]]""", BuiltInType.Int16, 2, "$[1][1]: expected Int16, -32768 … 32767")]
    [InlineData("\"x\"", BuiltInType.Guid, -1, "expected Guid, as 72962B91-FA75-4AE6-8D28-B404DC7DAF63")]
    public void Convert_WrongElement_SaysWhichAndWhatItsTypeLooksLike(
        string json, BuiltInType type, int rank, string expected)
    {
        var asked = new ExpectedType(new NodeId((uint)type), type, rank);

        Assert.True(Convert(json, asked, out _, out var problem).IsBad);
        Assert.Equal(expected, problem);
    }

    /// <summary>Numbers as text come last, behind all names.</summary>
    [Fact]
    public void Convert_ManyElementsOfManyNames_CostsNoMoreThanTheElements()
    {
        AddEnumeration(new NodeId("Many", 1), [
            .. Enumerable.Range(0, 4_000).Select(i => new EnumField { Name = $"Name{i}", Value = i }),
        ]);
        var type = new ExpectedType(new NodeId("Many", 1), BuiltInType.Int32, 1);
        var json = $"[{string.Join(',', Enumerable.Repeat("\"0\"", 1_000))}]";
        Assert.Equal(StatusCode.Good, Convert("[\"Name3999_3999\"]", type, out var last, out _));
        Assert.Equal([3_999], last.AsArray<int>()!);
        var before = GC.GetAllocatedBytesForCurrentThread();

        Assert.Equal(StatusCode.Good, Convert(json, type, out var value, out _));

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1_000_000);
        Assert.Equal(1_000, value.AsArray<int>()!.Length);
    }

    [Fact]
    public void Convert_ManyValuesOfAnEnumeration_FindsItsNamesOnceAsWork()
    {
        AddOldEnumeration(new NodeId("Old", 1), "EnumStrings", Variant.FromArray(
            BuiltInType.LocalizedText,
            Enumerable.Range(0, 1_000).Select(i => new LocalizedText($"Name{i}")).ToArray()));
        // Its names, and those of one more enumeration, are the work of this request.
        var type = new ExpectedType(new NodeId("Old", 1), BuiltInType.Int32, -1);
        Assert.Equal(StatusCode.Good, Convert("\"Name7\"", type, out _, out _));
        Assert.False(_turn.IsSpent);
        var before = GC.GetAllocatedBytesForCurrentThread();

        for (var i = 0; i < 100; i++)
            Assert.Equal(StatusCode.Good, Convert("\"Name7\"", type, out _, out _));

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1_000_000);
        Assert.False(_turn.IsSpent);
        type = type with { DataType = Speed };
        Assert.Equal(StatusCode.Good, Convert("\"Fast\"", type, out _, out _));
        Assert.True(_turn.IsSpent);
    }

    /// <summary>The same as an enumeration whose names are unknown (R36).</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Convert_NamesThatTheCallerMayNotSee_AreNotTold(bool isTypeHidden)
    {
        RolePermissionType[] hidden = [new()
        {
            RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Engineer), Permissions = PermissionType.Browse,
        }];
        var old = new NodeId("Secret", 1);
        AddOldEnumeration(
            old, "EnumStrings",
            Variant.FromArray(BuiltInType.LocalizedText, new LocalizedText[] { new("Open"), new("Shut") }),
            isTypeHidden ? hidden : null, isTypeHidden ? null : hidden);

        var status = Convert("\"Wrong\"", new ExpectedType(old, BuiltInType.Int32, -1), out _, out var problem);

        Assert.Equal(StatusCodes.BadTypeMismatch, status.Code);
        Assert.StartsWith("expected Int32", problem, StringComparison.Ordinal);
    }

    /// <summary>Servers before 1.04 have no definitions.</summary>
    [Theory]
    [InlineData("EnumStrings", "\"Fast\"", 2)]
    [InlineData("EnumStrings", "\"Slow\"", 0)]
    [InlineData("EnumValues", "\"Fast\"", 7)]
    public void Convert_NamesOfAProperty_AreKnown(string property, string json, int number)
    {
        var old = new NodeId("Old" + property, 1);
        AddOldEnumeration(old, property, property == "EnumStrings"
            ? Variant.FromArray(BuiltInType.LocalizedText, new LocalizedText[] { new("Slow"), new(""), new("Fast") })
            : Variant.FromArray(BuiltInType.ExtensionObject, new[]
            {
                new ExtensionObject(new EnumValueType { Value = 7, DisplayName = new LocalizedText("Fast") }),
            }));

        Assert.Equal(
            StatusCode.Good, Convert(json, new ExpectedType(old, BuiltInType.Int32, -1), out var value, out _));
        Assert.Equal(new Variant(number), value);
    }

    [Theory]
    [InlineData(StandardIds.DataTypes.UInteger, "7", BuiltInType.UInt32)]
    [InlineData(StandardIds.DataTypes.UInteger, "4294967296", BuiltInType.UInt64)]
    [InlineData(StandardIds.DataTypes.UInteger, "\"18446744073709551615\"", BuiltInType.UInt64)]
    [InlineData(StandardIds.DataTypes.UInteger, "[1,2]", BuiltInType.UInt32)]
    [InlineData(StandardIds.DataTypes.Integer, "-7", BuiltInType.Int32)]
    [InlineData(StandardIds.DataTypes.Integer, "2147483648", BuiltInType.Int64)]
    [InlineData(StandardIds.DataTypes.Integer, "[[1,2147483648],[3,4]]", BuiltInType.Int64)]
    [InlineData(StandardIds.DataTypes.Integer, "[[1,2],[3,4]]", BuiltInType.Int32)]
    [InlineData(StandardIds.DataTypes.Number, "7", BuiltInType.Double)]
    [InlineData(StandardIds.DataTypes.Number, "[7,8.5]", BuiltInType.Double)]
    [InlineData(StandardIds.DataTypes.Number, """{"UaType":4,"Value":7}""", BuiltInType.Int16)]
    [InlineData(StandardIds.DataTypes.BaseDataType, "[\"a\",\"b\"]", BuiltInType.String)]
    [InlineData(StandardIds.DataTypes.BaseDataType, "[[true],[false]]", BuiltInType.Boolean)]
    public void Convert_AbstractTypeOfNumbers_IsOneOfThem(uint dataType, string json, BuiltInType type)
    {
        AddAbstractNumbers();

        Assert.Equal(StatusCode.Good, Convert(
            json, new ExpectedType(new NodeId(dataType), BuiltInType.Null, -2), out var value, out var problem));
        Assert.Null(problem);
        Assert.Equal(type, value.Type);
    }

    [Theory]
    [InlineData(StandardIds.DataTypes.UInteger, "-7", "expected an integer, or {\"UaType\":…,\"Value\":…}")]
    [InlineData(StandardIds.DataTypes.Integer, "7.5", "expected an integer, or {\"UaType\":…,\"Value\":…}")]
    public void Convert_NoIntegerOfTheType_SaysWhatItTakes(uint dataType, string json, string expected)
    {
        AddAbstractNumbers();

        var status = Convert(
            json, new ExpectedType(new NodeId(dataType), BuiltInType.Null, -1), out _, out var problem);

        Assert.Equal(StatusCodes.BadTypeMismatch, status.Code);
        Assert.Equal(expected, problem);
    }

    [Theory]
    [InlineData("""{"Low":1,"High":2}""")]
    [InlineData("""{"UaTypeId":"i=884","Low":1,"High":2}""")]
    [InlineData("""{"TypeId":{"Id":884},"Body":{"Low":1,"High":2}}""")]
    [InlineData("""{"UaEncoding":1,"UaBody":"AAAAAAAA8D8AAAAAAAAAQA=="}""")]
    public void Convert_Structure_IsOfTheNodesTypeWhereItSaysNone(string json)
    {
        var range = new ExpectedType(new NodeId(StandardIds.DataTypes.Range), BuiltInType.ExtensionObject, -1);

        Assert.Equal(StatusCode.Good, Convert(json, range, out var value, out var problem));

        Assert.Null(problem);
        var read = value.AsStructure<Codec.Structures.Range>()!;
        Assert.Equal((1, 2), (read.Low, read.High));
    }

    [Theory]
    [InlineData("true", BuiltInType.Boolean)]
    [InlineData("1", BuiltInType.Double)]
    [InlineData("\"1\"", BuiltInType.String)]
    [InlineData("""{"UaType":6,"Value":1}""", BuiltInType.Int32)]
    [InlineData("""{"Value":1,"UaType":6}""", BuiltInType.Int32)]
    [InlineData("null", BuiltInType.Null)]
    public void Convert_AbstractType_IsWhatTheValueSays(string json, BuiltInType type)
    {
        Assert.Equal(
            StatusCode.Good, Convert(json, new ExpectedType(default, BuiltInType.Null, -2), out var value, out _));
        Assert.Equal(type, value.Type);
    }

    [Theory]
    [InlineData("[[1,2],[3]]")]
    [InlineData("[[],[]]")]
    [InlineData("[[1],2]")]
    [InlineData("[1,[2]]")]
    [InlineData("[[[1]],[1]]")]
    [InlineData("[[1,2],[3,4]")]
    [InlineData("[[1,2],[3,4]]]")]
    public void Convert_ArraysThatAreNoMatrix_AreRefused(string json)
    {
        var status = Convert(json, new ExpectedType(default, BuiltInType.Int32, -2), out _, out var problem);

        Assert.Equal(StatusCodes.BadTypeMismatch, status.Code);
        Assert.NotNull(problem);
    }

    [Fact]
    public void Convert_ThousandsOfLevels_AreRefusedAsTooDeep()
    {
        var status = Convert(
            new string('[', 10_000), new ExpectedType(default, BuiltInType.Int32, -2), out _, out var problem);

        Assert.True(status.IsBad);
        Assert.NotNull(problem);
    }

    /// <summary>The same text from the object and from the bytes, and read back as it was.</summary>
    [Theory]
    [InlineData(2, 3)]
    [InlineData(3, 1, 2)]
    public void Convert_MatrixAsItIsWritten_IsTheSame(params int[] dimensions)
    {
        var elements = Enumerable.Range(1, dimensions.Aggregate(1, static (all, one) => all * one)).ToArray();
        var matrix = Variant.FromMatrix(BuiltInType.Int32, new Matrix(elements, dimensions));
        var writer = UaJsonWriter.Rent(JsonFormat.Compact);
        writer.WriteBareVariant(matrix);
        var text = Encoding.UTF8.GetString(writer.WrittenSpan);
        writer.Reset();
        Assert.True(JsonTranscoder.TryWriteBareVariant(writer, Encode(matrix)));
        Assert.Equal(text, Encoding.UTF8.GetString(writer.WrittenSpan));
        writer.Return();

        Assert.Equal(StatusCode.Good, Convert(
            text, new ExpectedType(default, BuiltInType.Int32, dimensions.Length), out var value, out _));
        Assert.Equal(matrix, value);
    }

    private void AddEnumeration(NodeId id, EnumField[] fields) => _nodes.Apply(new NodeBatch().AddNode(
        new NodeDefinition
        {
            NodeId = id,
            NodeClass = NodeClass.DataType,
            BrowseName = new QualifiedName(id.String, 1),
            DataTypeDefinition = new EnumDefinition { Fields = fields },
        }));

    private void AddOldEnumeration(
        NodeId id, string property, Variant names, RolePermissionType[]? ofType = null,
        RolePermissionType[]? ofProperty = null)
    {
        var (hasProperty, propertyId) = (new NodeId(StandardIds.ReferenceTypes.HasProperty), new NodeId(property, 1));
        _nodes.Apply(new NodeBatch()
            .AddNode(new NodeDefinition
            {
                NodeId = hasProperty,
                NodeClass = NodeClass.ReferenceType,
                BrowseName = new QualifiedName("HasProperty"),
            })
            .AddNode(new NodeDefinition
            {
                NodeId = id,
                NodeClass = NodeClass.DataType,
                BrowseName = new QualifiedName(id.String, 1),
                RolePermissions = ofType,
            })
            .AddNode(new NodeDefinition
            {
                NodeId = propertyId,
                NodeClass = NodeClass.Variable,
                BrowseName = new QualifiedName(property),
                RolePermissions = ofProperty,
                Variable = new VariableFacts(new NodeId(StandardIds.DataTypes.LocalizedText), 1),
            })
            .AddReference(id, hasProperty, propertyId));
        _values.Set(_nodes.Find(propertyId), new DataValue(names));
    }

    private void AddAbstractNumbers()
    {
        var hasSubtype = new NodeId(StandardIds.ReferenceTypes.HasSubtype);
        var batch = new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = hasSubtype,
            NodeClass = NodeClass.ReferenceType,
            BrowseName = new QualifiedName("HasSubtype"),
        });
        foreach (var (type, superType) in new[] { (24u, 0u), (26u, 24u), (27u, 26u), (28u, 26u) })
        {
            batch.AddNode(new NodeDefinition
            {
                NodeId = new NodeId(type),
                NodeClass = NodeClass.DataType,
                BrowseName = new QualifiedName($"T{type}"),
            });
            if (superType != 0)
                batch.AddReference(new NodeId(superType), hasSubtype, new NodeId(type));
        }

        _nodes.Apply(batch);
    }

    private StatusCode Convert(string json, ExpectedType type, out Variant value, out string? problem)
    {
        var body = Encoding.UTF8.GetBytes(json);
        var meter = DecodeMeter.Rent(_budget, null);
        var status = _converter.Convert(
            new JsonPiece(body, 0..body.Length), type, meter, _enumerations, out value, out problem);
        meter.Return();
        return status;
    }

    /// <summary>Counts the work.</summary>
    private sealed class Turn : WorkTurn
    {
        private static readonly OperationLimits Limits = new()
        {
            MaxReferencesPerNode = 1,
            MaxReferencesPerCall = 1,
            MaxBrowseContinuationPoints = 1,
            MaxNodesPerBrowsePath = 1,
            MaxWorkPerTurn = 1_000_000,
            MaxWorkPerRequest = 1_003,
            MaxAnswerBytesPerRequest = 1,
        };

        public Turn()
            : base(Limits, TimeProvider.System) => Begin();

        public override Caller Caller { get; } = new(
            new UserIdentity("anna", "anna", Roles.Operator, UserKind.UserName), CallerDoor.Http,
            MessageSecurityMode.None, isTrustedApplication: false, hasSession: false);

        public override ValueTask NextAsync() => throw new InvalidOperationException();

        public override void CountRefused() => throw new InvalidOperationException();
    }

    private static byte[] Encode(in Variant value)
    {
        using var buffer = new Gateway.Codec.Pooling.PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteVariant(value);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }
}
