namespace Gateway.Admission.Lanes;

/// <summary>A list in order of coming whose links lie in its entries: adding, and taking out from anywhere, is O(1) and
/// allocates nothing. An entry is in one list at most. Guarded by its owner's lock.</summary>
internal struct AgeList<T>
    where T : class, IAged<T>
{
    public T? Oldest { get; private set; }

    public T? Youngest { get; private set; }

    public void Add(T entry)
    {
        entry.Older = Youngest;
        if (Youngest is null)
            Oldest = entry;
        else
            Youngest.Younger = entry;
        Youngest = entry;
    }

    /// <param name="entry">It is in this list.</param>
    public void Remove(T entry)
    {
        if (entry.Older is null)
            Oldest = entry.Younger;
        else
            entry.Older.Younger = entry.Younger;
        if (entry.Younger is null)
            Youngest = entry.Older;
        else
            entry.Younger.Older = entry.Older;
        entry.Older = entry.Younger = null;
    }
}
