using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Samples;

/// <summary>Compares two structures field by field and names the first difference.</summary>
internal static class StructureEquality
{
    public static string? Difference(object? left, object? right, string path = "")
    {
        if (left is null || right is null)
            return left is null && right is null ? null : path + ": one is null";
        if (left.GetType() != right.GetType())
            return $"{path}: {left.GetType()} and {right.GetType()}";
        if (left is Array a && right is Array b)
        {
            if (a.Length != b.Length)
                return $"{path}: {a.Length} and {b.Length} elements";
            return Enumerable.Range(0, a.Length)
                .Select(i => Difference(a.GetValue(i), b.GetValue(i), $"{path}[{i}]"))
                .FirstOrDefault(d => d is not null);
        }

        if (left is ExtensionObject x && right is ExtensionObject y)
            return x.TypeId == y.TypeId ? Difference(x.Body, y.Body, path + ".Body") : path + ".TypeId";
        if (left is not IStructure)
            return left.Equals(right) ? null : $"{path}: {left} and {right}";
        return SampleStructures.Fields(left.GetType())
            .Select(f => Difference(f.GetValue(left), f.GetValue(right), $"{path}.{f.Name}"))
            .FirstOrDefault(d => d is not null);
    }
}
