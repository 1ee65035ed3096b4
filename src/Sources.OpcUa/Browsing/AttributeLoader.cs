using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Reads facts that a browse does not give: a Variable's and a type's facts, a Method's permission, argument
/// lists and the values of types. A node whose attribute cannot be read keeps the default.</summary>
internal sealed class AttributeLoader(UpstreamLink link, BrowseBudget budget)
{
    private const int MaxDimensions = 32;

    /// <summary>The rights of our user that pass through the gateway: not those on the value's history.</summary>
    private const AccessLevelExType Rights = AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite |
        AccessLevelExType.StatusWrite | AccessLevelExType.TimestampWrite;

    /// <summary>How the upstream reads and writes, whoever asks.</summary>
    private const AccessLevelExType Manners = AccessLevelExType.NonatomicRead | AccessLevelExType.NonatomicWrite |
        AccessLevelExType.WriteFullArrayOnly | AccessLevelExType.NoSubDataTypes | AccessLevelExType.NonVolatile |
        AccessLevelExType.Constant;

    private static readonly AttributeId[] VariableAttributes =
    [
        AttributeId.Description, AttributeId.DataType, AttributeId.ValueRank, AttributeId.ArrayDimensions,
        AttributeId.UserAccessLevel, AttributeId.AccessLevelEx, AttributeId.MinimumSamplingInterval,
    ];

    private static readonly AttributeId[] MethodAttributes = [AttributeId.Description, AttributeId.UserExecutable];

    private static readonly AttributeId[] ObjectAttributes = [AttributeId.Description, AttributeId.EventNotifier];

    private static readonly AttributeId[] ObjectTypeAttributes = [AttributeId.Description, AttributeId.IsAbstract];

    private static readonly AttributeId[] VariableTypeAttributes =
    [
        AttributeId.Description, AttributeId.IsAbstract, AttributeId.DataType, AttributeId.ValueRank,
        AttributeId.ArrayDimensions,
    ];

    private static readonly AttributeId[] ReferenceTypeAttributes =
        [AttributeId.Description, AttributeId.IsAbstract, AttributeId.Symmetric, AttributeId.InverseName];

    private static readonly AttributeId[] DataTypeAttributes =
        [AttributeId.Description, AttributeId.IsAbstract, AttributeId.DataTypeDefinition];

    /// <param name="space">Counts what is left out.</param>
    /// <param name="nodes">Some of its nodes.</param>
    /// <param name="cancellation">Ends the requests.</param>
    public async ValueTask LoadAsync(
        BrowsedSpace space, IReadOnlyCollection<BrowsedNode> nodes, CancellationToken cancellation)
    {
        List<ReadValueId> reads = [];
        List<BrowsedNode> owners = [];
        foreach (var node in nodes)
        {
            foreach (var attribute in AttributesOf(node))
            {
                reads.Add(new ReadValueId { NodeId = node.Id, AttributeId = (uint)attribute });
                owners.Add(node);
            }

            if (reads.Count >= link.Sizes.NodesPerRead)
                await ReadAsync(space, reads, owners, cancellation).ConfigureAwait(false);
        }

        await ReadAsync(space, reads, owners, cancellation).ConfigureAwait(false);
        foreach (var node in nodes)
        {
            if (node.NodeClass is NodeClass.Variable or NodeClass.VariableType)
                Complete(node);
        }
    }

    private void Complete(BrowsedNode node)
    {
        // An unknown type: anything may come.
        if (node.Facts.DataType.IsNull)
            node.Facts = node.Facts with { DataType = new NodeId(StandardIds.DataTypes.BaseDataType) };
        // Every change (0) and unknown (-1) are not to be had through a subscription: no item gets less than its
        // publishing interval. Argument lists are served from the store. Source: Part 3 §5.6.2.
        var isAbove = node.Facts.MinimumSamplingInterval >= link.PublishingIntervalMs;
        if (node.NodeClass == NodeClass.Variable && node.FixedValue is null && !isAbove)
            node.Facts = node.Facts with { MinimumSamplingInterval = link.PublishingIntervalMs };
    }

    /// <summary>A few nodes at a time, so that no more is held than is kept.</summary>
    private async ValueTask ReadAsync(
        BrowsedSpace space, List<ReadValueId> reads, List<BrowsedNode> owners, CancellationToken cancellation)
    {
        budget.CheckTime();
        var allowance = new ValueAllowance(budget.Limits.MaxUpstreamAnswerBytes);
        var values = await link.Session.ReadAsync(reads, 0, link.Sizes.NodesPerRead, allowance, cancellation)
            .ConfigureAwait(false);
        for (var i = 0; i < values.Length; i++)
        {
            if (!values[i].Status.IsBad || reads[i].AttributeId == (uint)AttributeId.Value)
                Set(space, owners[i], (AttributeId)reads[i].AttributeId, values[i]);
        }

        reads.Clear();
        owners.Clear();
    }

    private static AttributeId[] AttributesOf(BrowsedNode node) => node.NodeClass switch
    {
        NodeClass.Variable when IsDeclared(node) || IsArguments(node) => [.. VariableAttributes, AttributeId.Value],
        NodeClass.Variable => VariableAttributes,
        NodeClass.Method => MethodAttributes,
        NodeClass.DataType => DataTypeAttributes,
        NodeClass.ObjectType => ObjectTypeAttributes,
        NodeClass.VariableType => VariableTypeAttributes,
        NodeClass.ReferenceType => ReferenceTypeAttributes,
        _ => ObjectAttributes,
    };

    /// <summary>A declaration of the instances of a type. A variable without a modelling rule is the type's own, and
    /// may change.</summary>
    private static bool IsDeclared(BrowsedNode node) => node.IsModel && (node.IsProperty || node.HasModellingRule);

    private static bool IsArguments(BrowsedNode node) =>
        node.IsProperty && node.BrowseName.NamespaceIndex == 0 &&
        node.BrowseName.Name is "InputArguments" or "OutputArguments";

    private void Set(BrowsedSpace space, BrowsedNode node, AttributeId attribute, in DataValue read)
    {
        var value = read.Value;
        switch (attribute)
        {
            case AttributeId.Description:
                node.Description = budget.Cut(value.AsLocalizedText());
                budget.TakeText(node.Description);
                break;
            case AttributeId.DataType:
                node.Facts = node.Facts with { DataType = value.AsNodeId() };
                break;
            case AttributeId.ValueRank:
                node.Facts = node.Facts with { ValueRank = value.AsInt32() };
                break;
            case AttributeId.ArrayDimensions:
                var dimensions = value.AsArray<uint>();
                // More dimensions than a value can have say nothing.
                if (dimensions is { Length: > 0 and <= MaxDimensions })
                    node.Facts = node.Facts with { ArrayDimensions = dimensions };
                break;
            case AttributeId.UserAccessLevel:
                var level = node.Facts.AccessLevel & ~Rights;
                node.Facts = node.Facts with { AccessLevel = level | Granted(value, Rights) };
                break;
            case AttributeId.AccessLevelEx:
                node.Facts = node.Facts with { AccessLevel = node.Facts.AccessLevel | Granted(value, Manners) };
                break;
            case AttributeId.MinimumSamplingInterval:
                node.Facts = node.Facts with { MinimumSamplingInterval = Math.Max(0, value.AsDouble()) };
                break;
            case AttributeId.UserExecutable:
                node.Executable = value.AsBoolean();
                break;
            case AttributeId.EventNotifier:
                node.IsNotifier = (value.AsInt64() & (long)EventNotifierType.SubscribeToEvents) != 0;
                break;
            case AttributeId.IsAbstract:
                (node.IsAbstract, node.HasTypeFacts) = (value.AsBoolean(), true);
                break;
            case AttributeId.Symmetric:
                node.Symmetric = value.AsBoolean();
                break;
            case AttributeId.InverseName:
                node.InverseName = budget.Cut(value.AsLocalizedText());
                budget.TakeText(node.InverseName);
                break;
            case AttributeId.DataTypeDefinition:
                SetDefinition(node, value);
                break;
            case AttributeId.Value:
                SetFixedValue(space, node, read);
                break;
        }
    }

    /// <summary>A type's declarations are the same as long as the model is; argument lists have to be there for a Call.
    /// </summary>
    private void SetFixedValue(BrowsedSpace space, BrowsedNode node, in DataValue read)
    {
        if (read.Status.IsBad && !node.IsModel)
            return;
        var bytes = SizeOf(read.Value);
        if (bytes > budget.Limits.MaxUpstreamArgumentBytes)
        {
            // The others are read as they are asked for.
            space.LargeArguments += IsArguments(node) ? 1 : 0;
            return;
        }

        budget.TakeBytes(bytes * sizeof(char));
        node.FixedValue = read;
    }

    private void SetDefinition(BrowsedNode node, in Variant value)
    {
        if (value.Type != BuiltInType.ExtensionObject || !value.IsScalar ||
            value.AsExtensionObject().Body is not DataTypeDefinition definition)
            return;
        budget.TakeBytes(SizeOf(value) * sizeof(char));
        node.Definition = definition;
    }

    private static long SizeOf(in Variant value)
    {
        using var encoded = new PooledBuffer();
        var writer = new UaBinaryWriter(encoded);
        writer.WriteVariant(value);
        writer.Complete();
        return encoded.WrittenSpan.Length;
    }

    private static AccessLevelExType Granted(in Variant value, AccessLevelExType of) =>
        (AccessLevelExType)value.AsUInt32() & of;
}
