using System.Collections.Concurrent;

namespace Gateway.AddressSpace.Nodes;

/// <summary>Subtype → supertype by record index: what HasSubtype says, ready for a walk upwards.</summary>
internal sealed class TypeHierarchy
{
    /// <summary>Deeper than any model; ends a cycle that a faulty one may hold.</summary>
    public const int MaxDepth = 64;

    private readonly ConcurrentDictionary<int, int> _superTypes = new();

    /// <summary>0 when there is none.</summary>
    public int SuperType(int type) => _superTypes.GetValueOrDefault(type);

    public void Set(int type, int superType) => _superTypes[type] = superType;

    public void Remove(int type) => _superTypes.TryRemove(type, out _);

    public bool IsSubtypeOf(int type, int superType)
    {
        for (var depth = 0; type != 0 && depth < MaxDepth; depth++)
        {
            if (type == superType)
                return true;
            type = SuperType(type);
        }

        return false;
    }
}
