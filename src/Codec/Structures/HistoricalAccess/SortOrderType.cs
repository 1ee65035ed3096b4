namespace Gateway.Codec.Structures;

public enum SortOrderType
{
    Ascending = 0,
    Descending = 1,
}
