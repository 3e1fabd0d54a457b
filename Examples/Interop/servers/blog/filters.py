from rest_framework.filters import BaseFilterBackend


class FieldFilter(BaseFilterBackend):
    """`filter[title]=Clocks`, for the fields that a view names."""

    def filter_queryset(self, request, queryset, view):
        for field in getattr(view, "filter_fields", []):
            value = request.query_params.get(f"filter[{field}]")
            if value is not None:
                queryset = queryset.filter(**{field: value})
        return queryset
