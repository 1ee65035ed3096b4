using System.Text.Json;

namespace Gateway.Codec.Json;

/// <summary>The members of a union while it is read, in whatever order they come: <c>SwitchField</c> and the field by
/// its name, the field alone, or <c>SwitchField</c> and <c>Value</c>. Without a value the field has its default. Owner:
/// one read method. Source: Part 6 §5.4.8, §H.10.</summary>
public ref struct UnionMembers
{
    private Utf8JsonReader _end;

    /// <summary>The position of the field that the union holds, from 1; 0 for none, and after an error.</summary>
    public uint SwitchField { get; private set; }

    /// <summary>The reader stands on the field's value.</summary>
    public bool HasValue { get; private set; }

    /// <param name="reader">At the start of the object.</param>
    /// <param name="names">The names of the fields, then SwitchField and Value.</param>
    public static UnionMembers Begin(scoped ref UaJsonReader reader, ReadOnlySpan<byte[]> names)
    {
        var fields = names.Length - 2;
        uint? named = null;
        var member = -1;
        Utf8JsonReader valueAt = default;
        var seen = 0UL;
        while (reader.NextField(names, ref seen, out var next, tellsNames: false))
        {
            if (next == fields)
            {
                named = reader.ReadUInt32();
                continue;
            }

            if (member >= 0)
                reader.Expected("a union of one field");
            member = next;
            valueAt = reader.StepOver();
        }

        var union = new UnionMembers();
        var chosen = Choose(ref reader, names, named, member);
        if (reader.Failed)
            return union;
        union.SwitchField = chosen;
        union.HasValue = member >= 0;
        if (union.HasValue)
            union._end = reader.Rewind(valueAt);
        return union;
    }

    /// <summary>Goes to the end of the object.</summary>
    public readonly void End(scoped ref UaJsonReader reader)
    {
        if (HasValue)
            reader.Rewind(_end);
    }

    /// <param name="reader">For errors.</param>
    /// <param name="names">As above.</param>
    /// <param name="named">The number in SwitchField.</param>
    /// <param name="member">The field with the value; −1: none.</param>
    private static uint Choose(
        scoped ref UaJsonReader reader, ReadOnlySpan<byte[]> names, uint? named, int member)
    {
        var fields = names.Length - 2;
        var isField = member >= 0 && member < fields;
        if (named is not { } chosen)
        {
            if (member > fields)
                reader.Expected("a member SwitchField");
            return (uint)(member + 1);
        }

        // A field may itself be called Value.
        if (chosen > (uint)fields)
            reader.Expected($"a SwitchField, 0 … {fields}");
        else if (member >= 0 && chosen == 0)
            reader.Expected("a SwitchField that names the field that is there");
        else if (isField && member + 1 != chosen && !names[member].AsSpan().SequenceEqual("Value"u8))
            reader.Expected("the field that SwitchField names");
        return chosen;
    }
}
