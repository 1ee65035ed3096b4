using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;

namespace Gateway.StructureGenerator.Model;

/// <summary>An array that compares by its elements: the compiler reuses generated text for models that are equal.
/// </summary>
internal readonly struct EquatableArray<T>(IEnumerable<T> items) : IEquatable<EquatableArray<T>>, IReadOnlyList<T>
    where T : IEquatable<T>
{
    private readonly T[]? _items = [.. items];

    public int Count => Items.Length;

    public T this[int index] => Items[index];

    private T[] Items => _items ?? [];

    public bool Equals(EquatableArray<T> other) => Items.SequenceEqual(other.Items);

    public override bool Equals(object? obj) => obj is EquatableArray<T> other && Equals(other);

    public override int GetHashCode() => Items.Aggregate(17, static (hash, item) => (hash * 31) + item.GetHashCode());

    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)Items).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
