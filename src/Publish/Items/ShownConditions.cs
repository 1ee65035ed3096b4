using Gateway.Events.Delivery;

namespace Gateway.Publish.Items;

/// <summary>The conditions and branches that an item has shown as retained: its client has them in its list. A bit for
/// each, by its place of <see cref="ConditionPlaces"/>. Owner: the item, under its shard's lock. Source: Part 9 §5.5.2
/// (SupportsFilteredRetain).</summary>
internal sealed class ShownConditions
{
    private const int BitsPerWord = 64;

    /// <summary>A burst that has shown so many conditions a word pays for words that are made again, and one that has
    /// left a word for so many has ended.</summary>
    private const int BurstParts = 8;

    /// <summary>Not worth the trouble.</summary>
    private const int FewWords = 16;

    private ulong[] _words = [];

    /// <summary>At one time. It halves whenever words are given back, so that one condition that comes and goes at a
    /// high place has them made again a few times, and not for ever.</summary>
    private int _most;

    public int Count { get; private set; }

    /// <summary>Places that it has memory for.</summary>
    public int Capacity => _words.Length * BitsPerWord;

    /// <summary>The item gets an event. False: it is not for this item.</summary>
    public bool Note(int place, ShownMark mark)
    {
        if (place < 0)
            return mark != ShownMark.EndsShown;
        switch (mark)
        {
            case ShownMark.Shows:
                Set(place);
                return true;
            case ShownMark.Ends:
                Reset(place);
                return true;
            case ShownMark.EndsShown:
                return Reset(place);
            default:
                return true;
        }
    }

    /// <summary>The client has to refresh before its list is true again.</summary>
    public void Clear() => (_words, Count, _most) = ([], 0, 0);

    private void Set(int place)
    {
        var (word, bit) = (place / BitsPerWord, 1ul << (place % BitsPerWord));
        if (word >= _words.Length)
            Array.Resize(ref _words, Math.Max(word + 1, 2 * _words.Length));
        if ((_words[word] & bit) != 0)
            return;
        _words[word] |= bit;
        _most = Math.Max(_most, ++Count);
    }

    /// <summary>True: it was set.</summary>
    private bool Reset(int place)
    {
        var (word, bit) = (place / BitsPerWord, 1ul << (place % BitsPerWord));
        if (word >= _words.Length || (_words[word] & bit) == 0)
            return false;
        _words[word] &= ~bit;
        Count--;
        var length = _words.Length;
        if (length > FewWords && Count <= length / BurstParts && _most / BurstParts >= length)
            GiveBack();
        return true;
    }

    /// <summary>A burst is over: what lies behind the last that is shown goes, where it is at least a half (R43).
    /// </summary>
    private void GiveBack()
    {
        var length = Array.FindLastIndex(_words, static word => word != 0) + 1;
        if (length > _words.Length / 2)
            return;
        _most = Math.Max(Count, _most / 2);
        Array.Resize(ref _words, length);
    }
}
