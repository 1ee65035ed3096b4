using Gateway.Codec.Types;

namespace Gateway.Events.Model;

/// <summary>Names a field of events: a path of BrowseNames from the event and an attribute at its end. The empty path
/// is the event itself. The namespace of each name counts. Immutable. Source: Part 4 §7.7.4.5.</summary>
public sealed class FieldPath : IEquatable<FieldPath>
{
    private readonly QualifiedName[] _names;
    private readonly int _hash;

    public FieldPath(AttributeId attribute, params QualifiedName[] names)
    {
        _names = names;
        Attribute = attribute;
        var hash = new HashCode();
        hash.Add(attribute);
        foreach (var name in names)
            hash.Add(name);
        _hash = hash.ToHashCode();
    }

    /// <summary>The NodeId of the condition that an event is about. Source: Part 9 §5.5.2.</summary>
    public static FieldPath ConditionId { get; } = new(AttributeId.NodeId);

    public AttributeId Attribute { get; }

    public ReadOnlySpan<QualifiedName> Names => _names;

    /// <summary>The Value of a field of the standard, its names separated by <c>/</c>.</summary>
    public static FieldPath Of(string names) =>
        new(AttributeId.Value, Array.ConvertAll(names.Split('/'), static name => new QualifiedName(name)));

    public bool Equals(FieldPath? other) => other is not null && _hash == other._hash &&
        Attribute == other.Attribute && Names.SequenceEqual(other.Names);

    public override bool Equals(object? obj) => Equals(obj as FieldPath);

    public override int GetHashCode() => _hash;

    public override string ToString() => string.Join('/', _names);
}
