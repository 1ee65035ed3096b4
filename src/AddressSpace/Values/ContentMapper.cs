using Gateway.Codec.Json;
using Gateway.Codec.Json.Definitions;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>The <see cref="ValueMapper"/> of what is inside one structure. Sums up what it meets.</summary>
internal sealed class ContentMapper(INamespaceMap map, bool toLocal, IJsonStructures? structures) : IContentMapper
{
    public bool Failed { get; private set; }

    public bool IsDoubtful { get; private set; }

    public NodeId Map(NodeId id)
    {
        var mapper = Begin();
        var mapped = mapper.Map(id);
        End(mapper);
        return mapped;
    }

    public ExpandedNodeId Map(ExpandedNodeId id)
    {
        var mapper = Begin();
        var mapped = mapper.Map(id);
        End(mapper);
        return mapped;
    }

    public QualifiedName Map(QualifiedName name)
    {
        var mapper = Begin();
        var mapped = mapper.Map(name);
        End(mapper);
        return mapped;
    }

    public Variant Map(in Variant value)
    {
        var mapper = Begin();
        var mapped = mapper.Map(value);
        End(mapper);
        return mapped;
    }

    public DataValue Map(in DataValue value) => value with { Value = Map(value.Value) };

    public ExtensionObject Map(ExtensionObject value)
    {
        var mapper = Begin();
        var mapped = mapper.Map(value);
        End(mapper);
        return mapped;
    }

    private ValueMapper Begin() => new(map, toLocal, structures);

    private void End(in ValueMapper mapper)
    {
        Failed |= mapper.Failed;
        IsDoubtful |= mapper.IsDoubtful;
    }
}
